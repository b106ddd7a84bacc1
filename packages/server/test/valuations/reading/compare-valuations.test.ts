import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addBusiness } from '../../harness/businesses.ts'
import { refused } from '../../harness/refused.ts'
import { bakery } from '../valuation-document.ts'
import { makeValuationWorld, type ValuationWorld } from '../valuation-fixture.ts'

let world: ValuationWorld
before(async () => {
  world = await makeValuationWorld()
})
after(() => world.close())
const member = () => world.client('member')

const methods = (sde: string, revenue: string) => [
  { method: 'sde_multiple' as const, multiple: sde, source: 'Broker survey', as_of: '2025-12-31' },
  { method: 'revenue_multiple' as const, multiple: revenue, source: 'Broker survey', as_of: '2025-12-31' },
]

describe('comparing two valuations', () => {
  it('says what changed, and by how much each change moved the point; the moves add up', async () => {
    const before = await world.completed()
    const after = await world.completed({
      methods: methods('2.8', '0.6'),
      weights: { sde_multiple: '0.5', revenue_multiple: '0.5' },
    })
    const { data } = await member().compareValuations({
      valuation_id: before.valuation_id,
      with: after.valuation_id,
    })
    assert.deepEqual([data.valuation_id, data.with], [before.valuation_id, after.valuation_id])
    assert.deepEqual([data.point, data.with_point], [before.conclusion?.point, after.conclusion?.point])
    const multiple = data.changes.find(one => one.pointer === '/methods/0/multiple')
    assert.deepEqual([multiple?.before, multiple?.after], ['"2.51"', '"2.8"'])
    const cents = (amount: string | undefined) => Math.round(Number(amount ?? 0) * 100)
    const moved = data.changes.reduce((sum, one) => sum + cents(one.moved?.amount), 0)
    assert.equal(moved, cents(data.difference?.amount))
    assert.equal(cents(data.difference?.amount), cents(data.with_point?.amount) - cents(data.point.amount))
    assert.ok(
      data.lines.some(one => one.before === '2.51' && one.after === '2.8' && one.difference === '0.29'),
    )
  })

  it('finds nothing between a valuation and itself', async () => {
    const { valuation_id } = await world.completed()
    const { data } = await member().compareValuations({ valuation_id, with: valuation_id })
    assert.deepEqual([data.changes, data.lines, data.note], [[], [], null])
    assert.equal(data.difference?.amount, '0.00')
  })

  it('gives no difference between currencies, and says why', async () => {
    const [dollars, euros] = [await world.completed(), await world.completed({ currency: 'EUR' })]
    const { data } = await member().compareValuations({
      valuation_id: dollars.valuation_id,
      with: euros.valuation_id,
    })
    assert.equal(data.difference, null)
    assert.match(data.note ?? '', /different currencies/)
  })

  it('still compares a valuation of a Business that the reader cannot see any more', async () => {
    const business_id = await addBusiness(world.service, {
      name: 'Harbor Bakery',
      publication_status: 'draft',
    })
    await world.service.link(world.workspace_id, business_id, world.people.owner)
    const subject = { type: 'business' as const, id: business_id }
    const [before, after] = [
      await world.completed({ subject }),
      await world.completed({ subject, methods: methods('2.8', '0.6') }),
    ]
    await world.service.sql('update workspace_businesses set removed_at = now() where business_id = $1', [
      business_id,
    ])
    const { data } = await member().compareValuations({
      valuation_id: before.valuation_id,
      with: after.valuation_id,
    })
    assert.ok(data.changes.some(one => one.pointer === '/methods/0/multiple'))
    assert.ok(data.difference)
  })

  it('is refused without the other valuation, and to visitors', async () => {
    const { valuation_id } = await world.completed()
    await refused(member().compareValuations({ valuation_id } as never), 'validation_error')
    const { data, claim_token } = await world.service.anonymous.createValuation(bakery({ run: true }))
    const { status } = await world.service.request(
      `/v1/valuations/${data.valuation_id}/compare?with=${data.valuation_id}`,
      { headers: { 'svc-claim-token': String(claim_token) } },
    )
    assert.equal(status, 401)
  })
})
