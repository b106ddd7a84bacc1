import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addBusiness } from '../../harness/businesses.ts'
import { assertOnce, eventsAbout, twoWorkspaces, type TwoWorkspaces } from '../workspace-fixture.ts'
import { refused } from '../../harness/refused.ts'

describe('POST /v1/workspaces/{workspace_id}/businesses/{business_id}/remove', () => {
  let world: TwoWorkspaces
  before(async () => void (world = await twoWorkspaces()))
  after(() => world.close())

  async function linked(): Promise<string> {
    const id = await addBusiness(world.service, { name: 'Glacier Tooling' })
    await world.us.linkBusiness({ workspace_id: world.workspace_id, business_id: id })
    return id
  }
  const unlink = (business_id: string) =>
    world.us.unlinkBusiness({ workspace_id: world.workspace_id, business_id })

  it('removes a Business from the list, returns the time, and deletes nothing', async () => {
    const id = await linked()
    const { data } = await unlink(id)
    assert.equal(data.business_id, id)
    assert.ok(Math.abs(Date.parse(data.removed_at) - Date.now()) < 10_000)
    assert.deepEqual(await eventsAbout(world, id), ['business.linked', 'business.unlinked'])
    const listed = await world.us.listWorkspaceBusinesses({ workspace_id: world.workspace_id, limit: 100 })
    assert.ok(!listed.data.some(one => one.id === id))
    const rows = await world.service.sql(
      'select removed_at from workspace_businesses where business_id = $1',
      [id],
    )
    assert.equal(rows.length, 1)
  })

  it('hides private records of it, and a draft completely', async () => {
    const { data: made } = await world.us.createBusiness({ name: 'A draft' })
    const business_id = made.id
    await unlink(business_id)
    const mood = {
      key: 'mood',
      value: { value_type: 'text', value: 'x' },
      observed_on: '2026-01-01',
    } as const
    for (const call of [
      () => world.us.getBusiness({ business_id }),
      () => world.us.listObservations({ business_id }),
      () => world.us.createObservation({ business_id, ...mood }),
      () => world.us.getWorkspaceProfile({ business_id }),
      () => world.us.setWorkspaceProfile({ business_id, notes: 'x', expected_revision: 0 }),
      () => world.us.updateBusiness({ business_id, expected_revision: 1, city: 'Macon' }),
      () => world.us.publishBusiness({ business_id, expected_revision: 1 }),
      () => unlink(business_id),
    ])
      await refused(call(), 'not_found')
  })

  it('takes effect once for a key, and replays although the Business was removed', async () => {
    const [id, other] = [await linked(), await linked()]
    const { workspace_id } = world
    await assertOnce(
      options => world.us.unlinkBusiness({ workspace_id, business_id: id }, options),
      options => world.us.unlinkBusiness({ workspace_id, business_id: other }, options),
    )
    assert.deepEqual(await eventsAbout(world, id), ['business.linked', 'business.unlinked'])
  })

  it('answers for an unlinked Business as for an unknown one', async () => {
    const published = await addBusiness(world.service, { name: 'Published' })
    const { data: hidden } = await world.them.createBusiness({ name: 'Hidden' })
    const gone = await linked()
    await unlink(gone)
    const details = new Set<string>()
    for (const id of [published, hidden.id, gone, newId('biz')])
      details.add((await refused(unlink(id), 'not_found')).detail)
    assert.equal(details.size, 1)
    const idempotency_key = randomUUID()
    const { workspace_id } = world
    await refused(
      world.us.unlinkBusiness({ workspace_id, business_id: hidden.id }, { idempotency_key }),
      'not_found',
    )
  })

  it('succeeds for one of many concurrent requests', async () => {
    const id = await linked()
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => unlink(id)))
    assert.equal(answers.filter(one => one.status === 'fulfilled').length, 1)
    assert.deepEqual(await eventsAbout(world, id), ['business.linked', 'business.unlinked'])
  })
})
