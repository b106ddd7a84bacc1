import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addBusiness } from '../../harness/businesses.ts'
import { assertOnce, eventsAbout, twoWorkspaces, type TwoWorkspaces } from '../workspace-fixture.ts'
import { refused } from '../../harness/refused.ts'

describe('POST /v1/businesses/{business_id}/withdraw', () => {
  let world: TwoWorkspaces
  before(async () => void (world = await twoWorkspaces()))
  after(() => world.close())

  async function published(level: 'edit' | 'full_access' = 'full_access'): Promise<string> {
    const id = await addBusiness(world.service, { name: 'Glacier Tooling', locations: [{ state: 'GA' }] })
    await world.service.link(world.workspace_id, id, world.olivia, level)
    return id
  }
  const withdraw = (business_id: string, expected_revision = 1) =>
    world.us.withdrawBusiness({ business_id, expected_revision })

  it('removes a published Business from search, and keeps it in the Workspace', async () => {
    const id = await published()
    const { data, projection, action_receipt } = await withdraw(id)
    assert.deepEqual([data.publication_status, data.revision, projection], ['withdrawn', 2, 'workspace'])
    assert.deepEqual(action_receipt.changed, ['publication_status'])
    const { data: found } = await world.service.anonymous.searchBusinesses({ query: 'glacier tooling' })
    assert.deepEqual(found, [])
    await refused(world.service.anonymous.getBusiness({ business_id: id }), 'not_found')
    const { data: listed } = await world.us.listWorkspaceBusinesses({ workspace_id: world.workspace_id })
    assert.ok(listed.some(one => one.id === id))
    assert.deepEqual(await eventsAbout(world, id), ['business.withdrawn'])
  })

  it('hides it from a Workspace that linked it while it was published, which keeps its own records', async () => {
    const id = await published()
    await world.them.linkBusiness({ workspace_id: world.sams, business_id: id })
    const mood = {
      key: 'mood',
      value: { value_type: 'text', value: 'theirs' },
      observed_on: '2026-01-01',
    } as const
    await world.them.createObservation({ business_id: id, ...mood })
    await withdraw(id)
    await world.us.updateBusiness({ business_id: id, expected_revision: 2, description: 'Not for them' })

    await refused(world.them.getBusiness({ business_id: id }), 'not_found')
    await refused(world.them.linkBusiness({ workspace_id: world.sams, business_id: id }), 'not_found')
    await refused(
      world.them.updateBusiness({ business_id: id, expected_revision: 3, city: 'Athens' }),
      'not_found',
    )
    const { data, page } = await world.them.listWorkspaceBusinesses({ workspace_id: world.sams, limit: 100 })
    assert.deepEqual(data, [])
    assert.deepEqual(page, { cursor: null, has_more: false })
    assert.equal((await world.them.listObservations({ business_id: id })).data[0]?.value.value, 'theirs')

    await world.us.publishBusiness({ business_id: id, expected_revision: 3 })
    const { data: again } = await world.them.listWorkspaceBusinesses({ workspace_id: world.sams })
    assert.equal(again[0]?.observations[0]?.value.value, 'theirs')
  })

  it('makes pages of such a Workspace shorter but complete', async () => {
    const ids = [await published(), await published(), await published(), await published()]
    const reader = world.service.person('Reader')
    const workspace_id = await world.service.workspace('Readers', reader)
    for (const business_id of ids) await reader.client.linkBusiness({ workspace_id, business_id })
    await withdraw(ids[0] as string)
    await withdraw(ids[2] as string)
    for (const limit of [1, 2, 3, 4, 5]) {
      const seen: string[] = []
      for await (const one of reader.client.listWorkspaceBusinesses.each({ workspace_id, limit }))
        seen.push(one.id)
      assert.deepEqual(seen, [ids[1], ids[3]], `limit ${limit}`)
    }
  })

  it('takes effect once for a key', async () => {
    const id = await published()
    await assertOnce(
      options => world.us.withdrawBusiness({ business_id: id, expected_revision: 1 }, options),
      options => world.us.withdrawBusiness({ business_id: id, expected_revision: 2 }, options),
    )
  })

  it('refuses an unpublished Business, whatever the revision', async () => {
    const id = await published()
    await withdraw(id)
    assert.equal((await refused(withdraw(id, 1), 'state_conflict')).current_status, 'withdrawn')
    const { data } = await world.us.createBusiness({ name: 'A draft' })
    assert.equal((await refused(withdraw(data.id), 'state_conflict')).current_status, 'draft')
  })

  it('refuses a stale revision', async () => {
    const { current } = await refused(withdraw(await published(), 7), 'revision_conflict')
    assert.equal(current, 1)
  })

  it('requires full access and businesses:publish', async () => {
    await refused(withdraw(await published('edit')), 'forbidden')
    await refused(withdraw(await addBusiness(world.service, { name: 'Not linked' })), 'forbidden')
    const ofMia = world
      .as(world.mia)
      .withdrawBusiness({ business_id: await published(), expected_revision: 1 })
    assert.equal((await refused(ofMia, 'forbidden')).required_permission, 'businesses:publish')
  })
})
