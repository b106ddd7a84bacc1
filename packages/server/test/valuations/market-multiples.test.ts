import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { defaultBenchmarkSet } from '../../src/valuations/benchmark-sets/default-benchmark-set.ts'
import { refused } from '../harness/refused.ts'
import { bakery, type NewValuation } from './valuation-document.ts'
import { makeValuationWorld, type ValuationWorld } from './valuation-fixture.ts'

let world: ValuationWorld
before(async () => {
  world = await makeValuationWorld()
})
after(() => world.close())

const member = () => world.client('member')

const alone = (...methods: NonNullable<NewValuation['methods']>): Partial<NewValuation> => ({
  methods,
  weights: Object.fromEntries(methods.map(({ method }, at) => [method, at === 0 ? '1' : '0'])),
})

async function resultOf(about: Partial<NewValuation>) {
  const { result } = await world.completed(about)
  assert.ok(result)
  const methods = result.approaches.flatMap(approach => approach.methods)
  return { result, methods, point: result.conclusion.point.amount }
}

/** The document with other lines in its income statement. */
const withIncome = (income: object): Partial<NewValuation> => {
  const { inputs } = bakery()
  const [period] = inputs.periods ?? []
  assert.ok(period)
  return { inputs: { ...inputs, periods: [{ ...period, income: { ...period.income, ...income } }] } }
}

describe('a multiple that the document leaves out', () => {
  it("comes from the service's set, by the industry of the Business, with source, date and hash", async () => {
    const business_id = await world.business()
    const { result, methods, point } = await resultOf({
      subject: { type: 'business', id: business_id },
      ...alone({ method: 'sde_multiple' }),
    })
    assert.deepEqual([methods[0]?.multiple, point], ['2.5', '500000.00'])
    const source = result.sources.find(({ figure }) => figure === 'SDE multiple')
    assert.match(source?.source ?? '', /DealStats Value Index Q1 2025/)
    assert.equal(source?.as_of, '2024-12-31')
    assert.equal(result.engine.benchmark_set_id, defaultBenchmarkSet.benchmark_set_id)
    assert.equal(result.engine.benchmark_set_sha256, defaultBenchmarkSet.sha256)
    assert.ok(
      result.assumptions.includes('The multiple of SDE is that of deals in NAICS 31-33 of all sizes.'),
    )
  })

  it('comes from the set that the document names', async () => {
    const row = {
      metric: 'sde',
      p25: '2',
      p50: '3',
      p75: '5',
      source: 'Own deals',
      as_of: '2026-01-31',
    } as const
    const { benchmark_set_id } = (await member().importBenchmarkSet({ rows: [row] })).data
    const { inputs } = bakery()
    const { result, point } = await resultOf({
      ...alone({ method: 'sde_multiple' }),
      inputs: { ...inputs, benchmark_set_id },
    })
    assert.equal(point, '600000.00')
    assert.equal(result.engine.benchmark_set_id, benchmark_set_id)
    const driver = result.sensitivity.tornado.find(one => one.driver === 'sde_multiple.multiple')
    assert.deepEqual([driver?.low_input, driver?.high_input], ['2', '5'])
  })

  it('is refused at a run if no figure was known on the valuation date, and kept as a draft', async () => {
    const { inputs } = bakery()
    const [period] = inputs.periods ?? []
    assert.ok(period)
    const earlier = { ...period, start: '2014-01-01', end: '2014-12-31' }
    const { valuation_id } = await world.draft({
      ...alone({ method: 'sde_multiple' }),
      valuation_date: '2015-06-30',
      inputs: { ...inputs, periods: [earlier] },
    })
    const problem = await refused(
      member().runValuation({ valuation_id, expected_revision: 1 }),
      'unprocessable_content',
    )
    assert.match(problem.detail, /no multiple of SDE that was known on 2015-06-30/)
    assert.equal((await member().getValuation({ valuation_id })).data.status, 'draft')
  })
})

describe('a method whose earnings are negative', () => {
  it('is not used; its weight goes to the others, and the result says why', async () => {
    const { methods, result, point } = await resultOf(withIncome({ net_income: '-400000' }))
    assert.deepEqual(
      methods.map(({ method, used }) => [method, used]),
      [
        ['sde_multiple', false],
        ['revenue_multiple', true],
      ],
    )
    assert.match(methods[0]?.reason_rejected ?? '', /is not above 0/)
    assert.equal(methods[0]?.basis?.amount, '-290000.00')
    assert.equal(methods[0]?.indicated, null)
    assert.equal(point, '480000.00')
    assert.equal(result.reconciliation.length, 1)
  })

  it('alone gives no conclusion', async () => {
    const document = bakery({
      ...withIncome({ net_income: '-400000' }),
      ...alone({ method: 'sde_multiple', multiple: '2.5' }),
      run: true,
    })
    await refused(member().createValuation(document), 'unprocessable_content')
  })
})

describe('the figures of a result', () => {
  it('keep the market pay of the owner in EBITDA, and report what does not add up', async () => {
    const { result } = await resultOf(withIncome({ net_income: '95000' }))
    const [year] = result.earnings
    assert.deepEqual(
      [year?.revenue?.amount, year?.sde?.amount, year?.ebitda?.amount, year?.ebit?.amount],
      ['800000.00', '205000.00', '145000.00', '125000.00'],
    )
    assert.deepEqual(result.checks, [
      {
        code: 'net_income_does_not_add_up',
        period: '2025',
        reported: '95000.00',
        computed: '90000.00',
        difference: '5000.00',
      },
    ])
  })

  it('may be stated in an indicative valuation, which the result says', async () => {
    const { inputs } = bakery()
    const [period] = inputs.periods ?? []
    assert.ok(period)
    const { result, point } = await resultOf({
      ...alone({ method: 'sde_multiple', multiple: '2' }),
      inputs: { periods: [{ ...period, income: { revenue: '800000' }, stated: { sde: '150000' } }] },
    })
    assert.deepEqual([result.earnings[0]?.is_stated, point], [true, '300000.00'])
  })
})

describe('a document that names evidence', () => {
  it('of which the valuation has none is refused', async () => {
    const { inputs } = bakery()
    const evidence_id = '0190e3c8-0000-7000-8000-000000000001'
    const [adjustment] = inputs.adjustments ?? []
    assert.ok(adjustment)
    const document = bakery({ inputs: { ...inputs, adjustments: [{ ...adjustment, evidence_id }] } })
    const { errors } = await refused(member().createValuation(document), 'validation_error')
    assert.deepEqual(
      errors.map(({ pointer, code }) => [pointer, code]),
      [['/inputs/adjustments/0/evidence_id', 'unknown']],
    )
  })
})
