import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import { lockCandidates } from '../../src/businesses/facts/candidate-store.ts'
import { lockObservation } from '../../src/businesses/observations/observation-store.ts'
import { lockExclusive } from '../../src/database/locks.ts'
import { write } from '../../src/database/statement.ts'
import type { Transaction } from '../../src/database/connections/writer.ts'
import { lockWaits, unlocked } from '../harness/lock-waits.ts'
import type { Person } from '../harness/service.ts'
import { eventually } from '../harness/eventually.ts'
import { addBusiness } from '../harness/businesses.ts'
import { editableBusiness, twoWorkspaces, type TwoWorkspaces } from './workspace-fixture.ts'
import { refused } from '../harness/refused.ts'

/** A change that is requested while another transaction holds its locks. */
interface Scene {
  lock(tx: Transaction): Promise<unknown>
  ask(client: Client, options: { idempotency_key: string }): Promise<{ idempotent_replay: boolean }>
}

describe('while the locks of a change of a Business are held', () => {
  let world: TwoWorkspaces
  before(async () => void (world = await twoWorkspaces()))
  after(() => world.close())

  const whileLocked = (lock: Scene['lock'], work: () => Promise<unknown>) => {
    const { service, workspace_id, olivia } = world
    return service.database.writers.transaction({ workspace_id, user_id: olivia.user_id }, async tx => {
      await lock(tx)
      await work()
    })
  }
  const lockBusiness = (id: string) => (tx: Transaction) => lockExclusive(tx, null, [['business', id]])
  const lockLink = (id: string) => (tx: Transaction) =>
    lockExclusive(tx, world.workspace_id, [['business_link', id]])
  const changeable = (publication_status: 'draft' | 'published' = 'draft') =>
    editableBusiness(world, { publication_status }, 'full_access')
  const mood = {
    key: 'mood',
    value: { value_type: 'text', value: 'good' },
    observed_on: '2026-01-31',
  } as const

  const scenes: Record<string, () => Promise<Scene>> = {
    update_business: async () => {
      const business_id = await changeable()
      const given = { business_id, expected_revision: 1, naics_code: '311811' }
      return {
        lock: lockBusiness(business_id),
        ask: (client, options) => client.updateBusiness(given, options),
      }
    },
    publish_business: async () => {
      const given = { business_id: await changeable(), expected_revision: 1 }
      return {
        lock: lockBusiness(given.business_id),
        ask: (client, options) => client.publishBusiness(given, options),
      }
    },
    'publish_business, by the link': async () => {
      const given = { business_id: await changeable(), expected_revision: 1 }
      return {
        lock: lockLink(given.business_id),
        ask: (client, options) => client.publishBusiness(given, options),
      }
    },
    withdraw_business: async () => {
      const given = { business_id: await changeable('published'), expected_revision: 1 }
      return {
        lock: lockBusiness(given.business_id),
        ask: (client, options) => client.withdrawBusiness(given, options),
      }
    },
    link_business: async () => {
      const business_id = await addBusiness(world.service, { name: 'Glacier Tooling' })
      const given = { workspace_id: world.workspace_id, business_id }
      return {
        lock: lockBusiness(business_id),
        ask: (client, options) => client.linkBusiness(given, options),
      }
    },
    'link_business, by the link': async () => {
      const business_id = await addBusiness(world.service, { name: 'Glacier Tooling' })
      const given = { workspace_id: world.workspace_id, business_id }
      return { lock: lockLink(business_id), ask: (client, options) => client.linkBusiness(given, options) }
    },
    unlink_business: async () => {
      const given = { workspace_id: world.workspace_id, business_id: await changeable() }
      return {
        lock: lockLink(given.business_id),
        ask: (client, options) => client.unlinkBusiness(given, options),
      }
    },
    create_observation: async () => {
      const business_id = await changeable()
      return {
        lock: lockLink(business_id),
        ask: (client, options) => client.createObservation({ business_id, ...mood }, options),
      }
    },
    retract_observation: async () => {
      const business_id = await changeable()
      const { observation_id } = (await world.us.createObservation({ business_id, ...mood })).data
      return {
        lock: tx => lockObservation(tx, world.workspace_id, business_id, observation_id, ''),
        ask: (client, options) => client.retractObservation({ business_id, observation_id }, options),
      }
    },
    set_workspace_profile: async () => {
      const given = { business_id: await changeable(), expected_revision: 0, notes: 'New' }
      return {
        lock: lockLink(given.business_id),
        ask: (client, options) => client.setWorkspaceProfile(given, options),
      }
    },
    create_business: async () => {
      const facts = { name: `Harbor ${randomUUID()}`, website_url: null, state: null, city: null }
      return {
        lock: tx => lockCandidates(tx, world.workspace_id, facts, ''),
        ask: (client, options) => client.createBusiness({ name: facts.name }, options),
      }
    },
  }

  /** An admin who has sent a request, so that the node knows their standing. */
  async function admitted(): Promise<{ person: Person; membership_id: string }> {
    const { service, workspace_id } = world
    const person = service.person('Max')
    const membership_id = await service.join(workspace_id, person, 'admin')
    await world.as(person).listWorkspaceBusinesses({ workspace_id })
    return { person, membership_id }
  }

  const lost: [string, string][] = [
    ['no longer belongs to the Workspace', `update memberships set status = 'removed' where id = $1`],
    [
      'may no longer change Businesses',
      `update memberships set permissions = '{"businesses:write": false, "businesses:publish": false}' where id = $1`,
    ],
  ]
  for (const [name, makeScene] of Object.entries(scenes))
    describe(name, () => {
      for (const [title, change] of lost)
        it(`of somebody who ${title} is refused, and does not wait`, async () => {
          const { lock, ask } = await makeScene()
          const { person, membership_id } = await admitted()
          await world.service.sql(change, [membership_id])
          await whileLocked(lock, () =>
            refused(
              unlocked(world.service, ask(world.as(person), { idempotency_key: randomUUID() })),
              'forbidden',
            ),
          )
        })

      it('that is repeated is answered without waiting', async () => {
        const { lock, ask } = await makeScene()
        const options = { idempotency_key: randomUUID() }
        await ask(world.us, options)
        await whileLocked(lock, async () => {
          const again = await unlocked(world.service, ask(world.us, options))
          assert.equal(again.idempotent_replay, true)
        })
      })

      it('of somebody who may do it waits, and succeeds', async () => {
        const { lock, ask } = await makeScene()
        const { person } = await admitted()
        let asking: ReturnType<typeof ask> | undefined
        await whileLocked(lock, async () => {
          asking = ask(world.as(person), { idempotency_key: randomUUID() })
          asking.catch(() => undefined)
          await eventually(async () => (await lockWaits(world.service)) === 1)
        })
        assert.equal((await asking)?.idempotent_replay, false)
      })
    })

  it('a caller who cannot see it is answered 404 without waiting', async () => {
    const business_id = await changeable()
    const { service, sams, them } = world
    await them.listWorkspaceBusinesses({ workspace_id: sams })
    const asks: (() => Promise<unknown>)[] = [
      () => them.updateBusiness({ business_id, expected_revision: 1, city: 'Macon' }),
      () => them.publishBusiness({ business_id, expected_revision: 1 }),
      () => them.linkBusiness({ workspace_id: sams, business_id }),
    ]
    for (const ask of asks)
      await whileLocked(lockBusiness(business_id), () => refused(unlocked(service, ask()), 'not_found'))
  })

  it('a caller whose level is too low is refused without waiting', async () => {
    const business_id = await editableBusiness(world, {}, 'edit')
    const publishing = () => world.us.publishBusiness({ business_id, expected_revision: 1 })
    await whileLocked(lockBusiness(business_id), () =>
      refused(unlocked(world.service, publishing()), 'forbidden'),
    )
  })

  it('and it is withdrawn, a change by a Workspace that sees it only while published answers 404', async () => {
    const business_id = await changeable('published')
    const { service } = world
    await service.sql('update workspace_businesses set sees_unpublished = false where business_id = $1', [
      business_id,
    ])
    let asking: Promise<unknown> = Promise.resolve()
    await whileLocked(
      async tx => {
        await lockBusiness(business_id)(tx)
        await tx.run(withdraw, { business_id })
      },
      async () => {
        asking = world.us.withdrawBusiness({ business_id, expected_revision: 1 })
        asking.catch(() => undefined)
        await eventually(async () => (await lockWaits(service)) === 1)
      },
    )
    await refused(asking, 'not_found')
  })
})

const withdraw = write(
  'test_withdraw',
  `update businesses set publication_status = 'withdrawn', revision = revision + 1 where id = :business_id`,
)
