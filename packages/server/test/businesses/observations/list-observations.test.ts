import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addBusiness } from '../../harness/businesses.ts'
import { faults, twoWorkspaces, type TwoWorkspaces } from '../workspace-fixture.ts'
import { refused } from '../../harness/refused.ts'

describe('GET /v1/businesses/{business_id}/observations', () => {
  let world: TwoWorkspaces
  let business_id: string
  const ids: string[] = []
  before(async () => {
    world = await twoWorkspaces()
    business_id = await addBusiness(world.service, { name: 'Glacier Tooling' })
    const other = await addBusiness(world.service, { name: 'Another' })
    await world.us.linkBusiness({ workspace_id: world.workspace_id, business_id })
    await world.us.linkBusiness({ workspace_id: world.workspace_id, business_id: other })
    await world.them.linkBusiness({ workspace_id: world.sams, business_id })
    for (let i = 0; i < 12; i++) {
      const { data } = await world.us.createObservation({
        business_id,
        key: i % 3 === 0 ? 'headcount' : 'mood',
        value: { value_type: 'number', value: i },
        observed_on: `2026-01-${String(20 - i).padStart(2, '0')}`,
      })
      ids.unshift(data.observation_id)
    }
    const away = {
      key: 'mood',
      value: { value_type: 'text', value: 'away' },
      observed_on: '2026-01-01',
    } as const
    await world.them.createObservation({ business_id, ...away })
    await world.us.createObservation({ business_id: other, ...away })
    await world.us.retractObservation({ business_id, observation_id: ids[4] as string })
  })
  after(() => world.close())

  const list = (filters: object = {}) => world.us.listObservations({ business_id, limit: 100, ...filters })
  const idsOf = (data: { observation_id: string }[]) => data.map(one => one.observation_id)

  it('returns those of the Workspace and Business, latest first, without retracted ones', async () => {
    const { data, page } = await list()
    assert.deepEqual(
      idsOf(data),
      ids.filter(id => id !== ids[4]),
    )
    assert.deepEqual(page, { cursor: null, has_more: false })
  })

  it('includes retracted ones if requested', async () => {
    const { data } = await list({ include_retracted: true })
    assert.deepEqual(idsOf(data), ids)
    assert.ok(data[4]?.retracted_at)
  })

  it('filters by key', async () => {
    const { data } = await list({ key: 'headcount', include_retracted: true })
    assert.deepEqual(
      data.map(one => one.value.value),
      [9, 6, 3, 0],
    )
    assert.deepEqual((await list({ key: 'never_seen' })).data, [])
  })

  it('returns everything exactly once, whatever the page size', async () => {
    for (const limit of [1, 2, 3, 5, 11, 12]) {
      const seen: string[] = []
      for await (const one of world.us.listObservations.each({ business_id, include_retracted: true, limit }))
        seen.push(one.observation_id)
      assert.deepEqual(seen, ids, `limit ${limit}`)
    }
  })

  it('continues after any cursor, also of an unknown observation', async () => {
    assert.deepEqual((await list({ cursor: `obs_7${'Z'.repeat(25)}` })).data.length, 11)
    assert.deepEqual((await list({ cursor: `obs_${'0'.repeat(26)}` })).data, [])
  })

  it('accepts viewers, and answers for an unlinked Business as for an unknown one', async () => {
    const { data } = await world.as(world.viktor).listObservations({ business_id })
    assert.equal(data.length, 11)
    const published = await addBusiness(world.service, { name: 'Published' })
    const { data: hidden } = await world.them.createBusiness({ name: 'Hidden' })
    const details = new Set<string>()
    for (const id of [published, hidden.id, newId('biz')])
      details.add((await refused(world.us.listObservations({ business_id: id }), 'not_found')).detail)
    assert.equal(details.size, 1)
  })

  it('refuses invalid parameters', async () => {
    for (const [given, expected] of [
      [{ key: 'No' }, '/key format'],
      [{ include_retracted: 'yes' }, '/include_retracted type'],
      [{ cursor: newId('biz') }, '/cursor format'],
      [{ limit: 101 }, '/limit out_of_range'],
      [{ since: '2026' }, '/since unknown'],
    ] as const)
      assert.deepEqual(await faults(list(given)), [expected])
  })
})
