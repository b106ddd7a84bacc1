import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { faultsIn } from '../fault.ts'
import { bakery, payOfAnn, year2025, yearOf } from '../bakery.ts'

type Change = Parameters<typeof bakery>[0]
type Methods = NonNullable<ValuationDocument['methods']>

const faultsOf = (change: Change) => faultsIn(bakery(change)).map(({ pointer, code }) => `${pointer} ${code}`)

/** The title says what is wrong; the document differs from a right one in that alone. */
function refused(title: string, change: Change, ...expected: string[]) {
  test(`${title}: ${expected.length ? 'refused' : 'right'}`, () =>
    assert.deepEqual(faultsOf(change), expected))
}

const sde = { method: 'sde_multiple', multiple: '2.5' } as const
const revenue = { method: 'revenue_multiple', multiple: '0.5' } as const
const periods = (...given: Partial<typeof year2025>[]) => ({
  inputs: { periods: given.map(one => ({ ...year2025, ...one })), adjustments: [] },
})
const methods = (...given: Methods): Change => ({ methods: given })

test('A document that is right has no faults, with methods and without', () => {
  assert.deepEqual(faultsOf({}), [])
  assert.deepEqual(
    faultsOf({ methods: [sde, revenue], weights: { sde_multiple: '0.7', revenue_multiple: '0.3' } }),
    [],
  )
})

refused('Two periods with one key', periods({}, {}), '/inputs/periods/1/key conflict')
refused('A period named weighted', periods({ key: 'weighted' }), '/inputs/periods/0/key conflict')
refused(
  'A period that ends before it starts',
  periods({ end: '2024-12-31' }),
  '/inputs/periods/0/end out_of_range',
)
refused(
  'A period that ends after the valuation date',
  periods({ end: '2026-07-01' }),
  '/inputs/periods/0/known_or_knowable requires',
)
refused(
  'A period that ends later and was not known',
  periods({ end: '2026-07-01', known_or_knowable: false }),
  '/inputs/periods/0/known_or_knowable requires',
)
refused('A period that ends later and was knowable', periods({ end: '2026-07-01', known_or_knowable: true }))
refused('A period that ends on the valuation date', periods({ end: '2026-06-30' }))
refused(
  'Negative revenue',
  periods({ income: { revenue: '-1' } }),
  '/inputs/periods/0/income/revenue out_of_range',
)
refused(
  'A rate of tax above 1',
  periods({ income: { tax_rate: '21' } }),
  '/inputs/periods/0/income/tax_rate out_of_range',
)

const adjustments = (...given: Partial<typeof payOfAnn>[]) => ({
  adjustments: given.map(one => ({ ...payOfAnn, ...one })),
})
refused('Two adjustments with one key', { inputs: adjustments({}, {}) }, '/inputs/adjustments/1/key conflict')
refused(
  'An adjustment of a period that does not exist',
  { inputs: adjustments({ period: '2019' }) },
  '/inputs/adjustments/0/period unknown',
)
refused(
  'A replacement cost of something else than pay',
  { inputs: adjustments({ kind: 'discretionary', replacement_cost: '5' }) },
  '/inputs/adjustments/0/replacement_cost conflict',
)
const twoOwners = adjustments({}, { key: 'a2', owner: 'Bob' })
refused(
  'The pay of two owners in SDE',
  { ...methods(sde), inputs: twoOwners },
  '/inputs/adjustments/1/owner conflict',
)
refused('The pay of two owners in EBITDA', {
  ...methods({ method: 'ebitda_multiple', multiple: '3' }),
  inputs: twoOwners,
})
refused('The salary and the benefits of one owner', {
  ...methods(sde),
  inputs: adjustments({}, { key: 'a2', owner: ' ann' }),
})
refused('Two owners, one in each period', {
  ...methods(sde),
  inputs: {
    periods: [year2025, yearOf('2024')],
    ...adjustments({}, { key: 'a2', owner: 'Bob', period: '2024' }),
  },
})
test('Pay of owners without a name, when there are several', () => {
  const { owner: _, ...unnamed } = payOfAnn
  const inputs = { adjustments: [payOfAnn, { ...unnamed, key: 'a2' }] }
  assert.deepEqual(faultsOf({ inputs }), ['/inputs/adjustments/1/owner required'])
  assert.deepEqual(faultsOf({ inputs: { adjustments: [unnamed] } }), [])
})

refused('A method twice', methods(sde, sde), '/methods/1/method conflict')
refused(
  'SDE with a multiple of EBITDA',
  methods({ method: 'ebitda_multiple', multiple: '3', basis_metric: 'sde' }),
  '/methods/0/basis_metric conflict',
)
refused(
  'EBITDA with a multiple of SDE',
  methods({ ...sde, basis_metric: 'ebitda' }),
  '/methods/0/basis_metric conflict',
)
refused('The metric that the method has anyway', methods({ ...sde, basis_metric: 'sde' }))
refused('A multiple of 0', methods({ ...sde, multiple: '0.00' }), '/methods/0/multiple out_of_range')
refused(
  'A source without a multiple',
  methods({ method: 'sde_multiple', source: 'Survey' }),
  '/methods/0/multiple required',
)
refused(
  'A multiple that was published later',
  methods({ ...sde, as_of: '2026-07-01' }),
  '/methods/0/as_of out_of_range',
)
refused('A period that does not exist', methods({ ...sde, period: '2019' }), '/methods/0/period unknown')
refused(
  'Weighted periods without weights',
  methods({ ...sde, period: 'weighted' }),
  '/methods/0/period_weights required',
)
refused(
  'Period weights without the word weighted',
  methods({ ...sde, period_weights: { '2025': '1' } }),
  '/methods/0/period requires',
)
refused(
  'Period weights that do not add up to 1, of an unknown period',
  methods({ ...sde, period: 'weighted', period_weights: { '2025': '0.5', '2019': '0.4' } }),
  '/methods/0/period_weights/2019 unknown',
  '/methods/0/period_weights out_of_range',
)

refused(
  'Weights that do not add up to 1',
  { methods: [sde, revenue], weights: { sde_multiple: '0.7', revenue_multiple: '0.4' } },
  '/weights out_of_range',
)
refused('No weights', { methods: [sde, revenue], weights: {} })
refused(
  'The weight of a method that is not there',
  { methods: [sde], weights: { sde_multiple: '0.7', revenue_multiple: '0.3' } },
  '/weights/revenue_multiple unknown',
)
refused(
  'The weight of a check',
  {
    methods: [
      sde,
      {
        method: 'excess_earnings',
        earnings: '100',
        net_tangible_assets: '400',
        tangible_return: '0.1',
        intangible_rate: '0.2',
      },
    ],
    weights: { sde_multiple: '0.5', excess_earnings: '0.5' },
  },
  '/weights/excess_earnings conflict',
)

const transaction = {
  name: 'Bakery',
  price: '400',
  metric_amount: '200',
  closed_on: '2026-06-30',
  source: 'Broker',
}
const transactions = (change: Partial<typeof transaction>): Change =>
  methods({
    method: 'guideline_transactions',
    metric: 'sde',
    statistic: 'median',
    rows: [transaction, { ...transaction, ...change }],
  })
refused('Transactions that were known', transactions({}))
refused('A transaction without a price', transactions({ price: '0' }), '/methods/0/rows/1/price out_of_range')
refused(
  'A transaction whose metric is 0',
  transactions({ metric_amount: '0.0' }),
  '/methods/0/rows/1/metric_amount out_of_range',
)
refused(
  'A transaction after the valuation date',
  transactions({ closed_on: '2026-07-01' }),
  '/methods/0/rows/1/closed_on out_of_range',
)
