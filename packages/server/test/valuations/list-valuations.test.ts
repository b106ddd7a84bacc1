import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addBusiness } from '../harness/businesses.ts'
import { refused } from '../harness/refused.ts'
import { makeValuationWorld, type Valuation, type ValuationWorld } from './valuation-fixture.ts'

let world: ValuationWorld
let business_id: `biz_${string}`
let made: Valuation[]
before(async () => {
  world = await makeValuationWorld()
  business_id = await world.business()
  made = [
    await world.draft(),
    await world.completed({ business_id }),
    await world.draft({ business_id }),
    await world.completed(),
    await world.completed({ subject: { type: 'business', id: business_id } }),
  ]
})
after(() => world.close())
const member = () => world.client('member')
const idsOf = (rows: { valuation_id: string }[]) => rows.map(({ valuation_id }) => valuation_id)

describe('the list of valuations', () => {
  it('has each valuation in the order of creation, as it is read alone, without inputs and result', async () => {
    const { data, page } = await member().listValuations({})
    assert.deepEqual([idsOf(data), page], [idsOf(made), { cursor: null, has_more: false }])
    for (const [index, summary] of data.entries())
      assert.deepEqual(
        summary,
        Object.fromEntries(Object.entries(made[index] ?? {}).filter(([name]) => name in summary)),
      )
    assert.ok(data.every(one => !('inputs' in one) && !('result' in one) && !('methods' in one)))
    assert.ok(data[1]?.conclusion)
  })

  it('goes from page to page without a gap or a repetition', async () => {
    const seen: string[] = []
    for (let cursor: string | undefined; ;) {
      const { data, page } = await member().listValuations({ limit: 2, ...(cursor && { cursor }) })
      seen.push(...idsOf(data))
      assert.equal(page.has_more, page.cursor !== null)
      if (page.cursor === null) break
      cursor = page.cursor
    }
    assert.deepEqual(seen, idsOf(made))
    const unknown = `val_${'f'.repeat(32)}`
    assert.deepEqual((await member().listValuations({ cursor: unknown })).data, [])
  })

  it('has only what fits all filters', async () => {
    const list = async (filter: Parameters<ReturnType<typeof member>['listValuations']>[0]) =>
      idsOf((await member().listValuations(filter)).data)
    const having = (fits: (one: Valuation) => boolean) => idsOf(made.filter(fits))
    assert.deepEqual(
      await list({ business_id }),
      having(one => one.business_id === business_id),
    )
    assert.deepEqual(
      await list({ status: 'draft' }),
      having(one => one.status === 'draft'),
    )
    assert.deepEqual(
      await list({ business_id, status: 'completed' }),
      having(one => one.business_id === business_id && one.status === 'completed'),
    )
    assert.deepEqual(await list({ subject_type: 'business' }), idsOf(made))
    assert.deepEqual(await list({ subject_type: 'portfolio' }), [])
    assert.deepEqual(await list({ status: 'running' }), [])
    assert.deepEqual(await list({ business_id: await world.business('Without') }), [])
  })

  it('answers alike for a Business that is absent and one that the caller cannot see', async () => {
    const hidden = await addBusiness(world.service, { name: 'Hidden', publication_status: 'draft' })
    const details = new Set<string>()
    for (const filter of [{ business_id: hidden }, { business_id: newId('biz') }])
      details.add((await refused(member().listValuations(filter), 'not_found')).detail)
    assert.equal(details.size, 1)
  })

  it('refuses a cursor and filters of another form', async () => {
    for (const [filter, pointer] of [
      [{ cursor: randomUUID() }, '/cursor'],
      [{ status: 'done' }, '/status'],
      [{ subject_type: 'person' }, '/subject_type'],
      [{ business_id: 'biz_1' }, '/business_id'],
      [{ limit: 101 }, '/limit'],
    ] as const) {
      const { errors } = await refused(member().listValuations(filter as object), 'validation_error')
      assert.deepEqual(
        errors.map(one => one.pointer),
        [pointer],
      )
    }
  })
})

describe('a valuation that the client has read', () => {
  it('is not sent again until it changes', async () => {
    const { valuation_id } = await world.draft()
    const ask = (etag: string) =>
      world.service.request(`/v1/valuations/${valuation_id}`, {
        token: world.people.member.token,
        headers: { 'svc-workspace-id': world.workspace_id, 'if-none-match': etag },
      })
    assert.equal((await ask('"r1"')).status, 304)
    await member().runValuation({ valuation_id, expected_revision: 1 })
    const { status, headers } = await ask('"r1"')
    assert.deepEqual([status, headers.get('etag')], [200, '"r2"'])
  })
})
