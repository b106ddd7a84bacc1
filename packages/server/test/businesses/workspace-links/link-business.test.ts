import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addBusiness } from '../../harness/businesses.ts'
import { assertOnce, eventsAbout, twoWorkspaces, type TwoWorkspaces } from '../workspace-fixture.ts'
import { refused } from '../../harness/refused.ts'

describe('POST /v1/workspaces/{workspace_id}/businesses', () => {
  let world: TwoWorkspaces
  before(async () => void (world = await twoWorkspaces()))
  after(() => world.close())

  const published = () =>
    addBusiness(world.service, { name: 'Glacier Tooling', locations: [{ state: 'GA' }] })
  const link = (business_id: string) =>
    world.us.linkBusiness({ workspace_id: world.workspace_id, business_id })
  const listed = async (business_id: string) => {
    const all = world.us.listWorkspaceBusinesses.each({ workspace_id: world.workspace_id })
    for await (const one of all) if (one.id === business_id) return one
    return undefined
  }
  const status = async (business_id: string) =>
    (
      await world.service.request(`/v1/workspaces/${world.workspace_id}/businesses`, {
        method: 'POST',
        body: JSON.stringify({ business_id }),
        token: world.olivia.token,
        headers: {
          'content-type': 'application/json',
          'svc-workspace-id': world.workspace_id,
          'idempotency-key': crypto.randomUUID(),
        },
      })
    ).status

  it('links a published Business with the level view, and returns it as the list does', async () => {
    const id = await published()
    const { data, action_receipt } = await link(id)
    assert.deepEqual(data, await listed(id))
    assert.deepEqual(data.workspace_access, { access_level: 'view' })
    assert.deepEqual(action_receipt.resource, { type: 'business', id })
    assert.deepEqual(await eventsAbout(world, id), ['business.linked'])
    await refused(
      world.us.updateBusiness({ business_id: id, expected_revision: 1, city: 'Macon' }),
      'forbidden',
    )
  })

  it('answers 201, and 200 without effect if it is linked already', async () => {
    const id = await published()
    assert.deepEqual([await status(id), await status(id), await status(id)], [201, 200, 200])
    assert.deepEqual(await eventsAbout(world, id), ['business.linked'])
  })

  it('creates one link for many concurrent requests', async () => {
    const id = await published()
    const all = await Promise.all(Array.from({ length: 12 }, () => link(id)))
    assert.equal(all.length, 12)
    assert.deepEqual(await eventsAbout(world, id), ['business.linked'])
  })

  it('takes effect once for a key', async () => {
    const [id, other] = [await published(), await published()]
    const { workspace_id } = world
    await assertOnce(
      options => world.us.linkBusiness({ workspace_id, business_id: id }, options),
      options => world.us.linkBusiness({ workspace_id, business_id: other }, options),
    )
  })

  it('is not answered again once the Business is hidden, because the link shows only published facts', async () => {
    const business_id = await published()
    const { workspace_id } = world
    const again = { idempotency_key: randomUUID() }
    await world.us.linkBusiness({ workspace_id, business_id }, again)
    await world.service.sql(`update businesses set publication_status = 'withdrawn' where id = $1`, [
      business_id,
    ])
    await refused(world.us.linkBusiness({ workspace_id, business_id }, again), 'not_found')
  })

  it('restores a removed link, also of a draft, with its level and all records', async () => {
    const { data: made } = await world.us.createBusiness({ name: 'A draft of ours' })
    const business_id = made.id
    const mood = {
      key: 'mood',
      value: { value_type: 'text', value: 'ours' },
      observed_on: '2026-01-01',
    } as const
    await world.us.createObservation({ business_id, ...mood })
    await world.us.setWorkspaceProfile({
      business_id,
      logo_url: 'https://a.example/l.png',
      expected_revision: 0,
    })
    await world.us.unlinkBusiness({ workspace_id: world.workspace_id, business_id })
    assert.equal(await listed(business_id), undefined)
    assert.equal(await status(business_id), 201)
    const back = await listed(business_id)
    assert.equal(back?.logo_url, 'https://a.example/l.png')
    assert.equal(back?.observations[0]?.value.value, 'ours')
    assert.deepEqual(back?.workspace_access, { access_level: 'full_access' })
  })

  it('answers for a hidden Business as for an unknown one', async () => {
    const { data } = await world.them.createBusiness({ name: 'Hidden' })
    const withdrawn = await addBusiness(world.service, { name: 'Withdrawn', publication_status: 'withdrawn' })
    const into = await published()
    const merged = await addBusiness(world.service, {
      name: 'Merged',
      publication_status: 'merged',
      merged_into_id: into,
    })
    for (const id of [data.id, withdrawn, merged, newId('biz')]) {
      const { detail } = await refused(link(id), 'not_found')
      assert.equal(detail, 'There is no such Business, or it is not published.')
      assert.deepEqual(await eventsAbout(world, id), [])
    }
  })

  it('does not affect the links of other Workspaces', async () => {
    const id = await published()
    await link(id)
    await world.them.linkBusiness({ workspace_id: world.sams, business_id: id })
    await world.us.unlinkBusiness({ workspace_id: world.workspace_id, business_id: id })
    const { data } = await world.them.listWorkspaceBusinesses({ workspace_id: world.sams })
    assert.ok(data.some(one => one.id === id))
  })
})
