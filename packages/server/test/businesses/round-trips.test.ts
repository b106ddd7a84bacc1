import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import { startFaultProxy, type FaultProxy } from '../harness/postgres/fault-proxy.ts'
import { withinRoundTrips } from '../harness/round-trips.ts'
import { addBusiness } from '../harness/businesses.ts'
import { editableBusiness, twoWorkspaces, type TwoWorkspaces } from './workspace-fixture.ts'

describe('the round trips of a change of a Business', () => {
  let proxy: FaultProxy
  let world: TwoWorkspaces
  let clients: Record<'user' | 'key', Client>
  before(async () => {
    proxy = await startFaultProxy()
    world = await twoWorkspaces()
    const { service, workspace_id, olivia, us } = world
    const scopes = ['businesses:read', 'businesses:write', 'businesses:publish'] as const
    const { secret } = await service.apiKey(workspace_id, olivia, [...scopes])
    clients = { user: us, key: service.client({ api_key: secret, workspace_id }) }
    await us.listWorkspaceBusinesses({ workspace_id })
    await clients.key.listWorkspaceBusinesses({ workspace_id })
  })
  after(async () => {
    await world.close()
    await proxy.close()
  })

  async function assertTrips(change: () => Promise<unknown>, most = 2): Promise<void> {
    await withinRoundTrips(proxy, most, change)
  }

  for (const [who, title] of [
    ['user', 'a user'],
    ['key', 'an API key'],
  ] as const)
    describe(`by ${title} whose standing is remembered: twice`, () => {
      const us = () => clients[who]
      const fresh = () => `Glacier ${randomUUID()}`
      const facts = { state: 'GA', naics_code: '311811' }

      it('that creates one without candidates', () =>
        assertTrips(() => us().createBusiness({ name: fresh(), ...facts })))

      it('that creates one with force_new', async () => {
        const name = fresh()
        await world.us.createBusiness({ name })
        const another = { name, ...facts, match_policy: 'force_new' } as const
        await assertTrips(() => us().createBusiness(another))
      })

      it('plus one if it links the candidate or finds it linked', async () => {
        const name = fresh()
        await addBusiness(world.service, { name })
        const take = () => us().createBusiness({ name, match_policy: 'return_existing' })
        await assertTrips(take, 3)
        await assertTrips(take, 3)
      })

      it('that updates, publishes or withdraws it', async () => {
        const business_id = await editableBusiness(world, { publication_status: 'published' }, 'full_access')
        await world.us.createRoom({ title: 'About it', business_id })
        const source = { kind: 'statement' } as const
        const update = (expected_revision: number, city: string) =>
          us().updateBusiness({ business_id, expected_revision, city, ...facts, source })
        const jobs = () => world.service.sql(`select from svc_jobs.job where name = 'tell_rooms_of_business'`)
        // The first job of a node opens its connection for jobs.
        await update(1, 'Athens')
        const { length } = await jobs()
        await assertTrips(() => update(2, 'Macon'))
        assert.equal((await jobs()).length, length + 1)
        await assertTrips(() => us().withdrawBusiness({ business_id, expected_revision: 3 }))
        await assertTrips(() => us().publishBusiness({ business_id, expected_revision: 4 }))
      })

      it('that links, restores or removes it', async () => {
        const { workspace_id, service } = world
        const given = { workspace_id, business_id: await addBusiness(service, { name: 'Glacier Tooling' }) }
        await assertTrips(() => us().linkBusiness(given))
        await assertTrips(() => us().linkBusiness(given))
        await assertTrips(() => us().unlinkBusiness(given))
        await assertTrips(() => us().linkBusiness(given))
      })

      it('that records and retracts an observation', async () => {
        const business_id = await editableBusiness(world)
        const mood = { key: 'mood', value: { value_type: 'text', value: 'good' } } as const
        let made: Awaited<ReturnType<Client['createObservation']>> | undefined
        await assertTrips(async () => {
          made = await us().createObservation({ business_id, ...mood, observed_on: '2026-01-31' })
        })
        const observation_id = made?.data.observation_id ?? 'obs_'
        await assertTrips(() => us().retractObservation({ business_id, observation_id }))
        const profile = { business_id, notes: 'Ours', expected_revision: 0 }
        await assertTrips(() => us().setWorkspaceProfile(profile))
      })
    })
})
