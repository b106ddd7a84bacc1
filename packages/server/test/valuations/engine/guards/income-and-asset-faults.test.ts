import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import fc from 'fast-check'
import { faultsIn } from '../fault.ts'
import { bakery } from '../bakery.ts'

type Change = Parameters<typeof bakery>[0]
type Methods = NonNullable<ValuationDocument['methods']>
type Inputs = ValuationDocument['inputs']

const faultsOf = (change: Change) => faultsIn(bakery(change)).map(({ pointer, code }) => `${pointer} ${code}`)

function refused(title: string, change: Change, ...expected: string[]) {
  test(`${title}: ${expected.length ? 'refused' : 'right'}`, () =>
    assert.deepEqual(faultsOf(change), expected))
}

const capitalized = {
  method: 'capitalized_cash_flow',
  cash_flow: '67',
  cash_flow_is: 'next_year',
  discount_rate: '0.2',
  growth: '0.03',
} as const
const discounted = {
  method: 'discounted_cash_flow',
  cash_flows: ['100', '110'],
  discount_rate: '0.1',
  terminal: { kind: 'gordon', growth: '0.03' },
} satisfies Methods[number]
const methods = (...given: Methods): Change => ({ methods: given })
const inputs = (given: Inputs): Change => ({ inputs: given })

refused('Growth below the discount rate', methods(capitalized, discounted))
refused(
  'Growth at the discount rate',
  methods({ ...capitalized, growth: '0.20' }),
  '/methods/0/growth out_of_range',
)
refused(
  'Growth above the discount rate after the last cash flow',
  methods({ ...discounted, terminal: { kind: 'gordon', growth: '0.11' } }),
  '/methods/0/terminal/growth out_of_range',
)
refused(
  'A discount rate of 0',
  methods({ ...discounted, discount_rate: '0', terminal: { kind: 'gordon', growth: '-0.1' } }),
  '/methods/0/discount_rate out_of_range',
)
refused('Growth of -1', methods({ ...capitalized, growth: '-1' }), '/methods/0/growth out_of_range')
refused(
  'An exit at a loss',
  methods({ ...discounted, terminal: { kind: 'exit_multiple', metric_amount: '-5', multiple: '5' } }),
  '/methods/0/terminal/metric_amount out_of_range',
)
refused(
  'A rate from a cost of equity that is not there',
  methods({ ...capitalized, discount_rate: { from: 'cost_of_equity' } }),
  '/inputs/cost_of_capital/equity requires',
)
refused(
  'A rate from a WACC without weights and debt',
  {
    ...methods({ ...discounted, discount_rate: { from: 'wacc' } }),
    inputs: { cost_of_capital: { equity: { model: 'stated', rate: '0.2' } } },
  },
  '/inputs/cost_of_capital/weights requires',
  '/inputs/cost_of_capital/debt requires',
)
refused('A WACC of a company without debt', {
  ...methods({ ...discounted, discount_rate: { from: 'wacc' } }),
  inputs: {
    cost_of_capital: {
      equity: { model: 'stated', rate: '0.2' },
      weights: { equity: '1', debt: '0' },
    },
  },
})

type Equity = NonNullable<NonNullable<Inputs['cost_of_capital']>['equity']>
type Beta = Extract<Equity, { beta: unknown }>['beta']
const capm = (beta: Beta, change: { model?: 'capm' | 'total_beta'; correlation?: string } = {}): Change =>
  inputs({
    cost_of_capital: {
      equity: { model: 'capm', risk_free: '0.04', equity_risk_premium: '0.05', ...change, beta },
    },
  })
const at = '/inputs/cost_of_capital/equity'
const leverage = { debt_equity: '0.5', tax_rate: '0.25' }
const peer = { levered: '1.1', ...leverage }

refused('Each form of beta', capm({ levered: '1' }))
refused('An unlevered beta', capm({ unlevered: '1', ...leverage }))
refused('Peers', capm({ peers: [peer], ...leverage }))
refused('No beta', capm({}), `${at}/beta required`)
refused('Two betas', capm({ levered: '1', unlevered: '1' }), `${at}/beta conflict`)
refused(
  'An unlevered beta that cannot be relevered',
  capm({ unlevered: '1' }),
  `${at}/beta/debt_equity required`,
  `${at}/beta/tax_rate required`,
)
refused(
  'A levered beta with debt',
  capm({ levered: '1', debt_equity: '0.5' }),
  `${at}/beta/debt_equity conflict`,
)
refused(
  'Rates of tax above 1',
  capm({ peers: [{ ...peer, tax_rate: '25' }], debt_equity: '1', tax_rate: '1.01' }),
  `${at}/beta/tax_rate out_of_range`,
  `${at}/beta/peers/0/tax_rate out_of_range`,
)
refused('Total beta', capm({ levered: '1' }, { model: 'total_beta', correlation: '1' }))
refused(
  'Total beta without a correlation',
  capm({ levered: '1' }, { model: 'total_beta' }),
  `${at}/correlation required`,
)
for (const correlation of ['0', '1.1'])
  refused(
    `A correlation of ${correlation}`,
    capm({ levered: '1' }, { model: 'total_beta', correlation }),
    `${at}/correlation out_of_range`,
  )
refused(
  'CAPM with a correlation',
  capm({ levered: '1' }, { correlation: '0.5' }),
  `${at}/correlation conflict`,
)

type Debt = NonNullable<NonNullable<Inputs['cost_of_capital']>['debt']>
const debt = (given: Debt) => inputs({ cost_of_capital: { debt: given } })
const debtAt = '/inputs/cost_of_capital/debt'
refused(
  'Both forms of the cost of debt',
  debt({ pre_tax: '0.09', tax_rate: '0.4', after_tax: '0.05' }),
  `${debtAt}/after_tax conflict`,
)
refused(
  'A cost of debt before taxes without a rate of tax',
  debt({ pre_tax: '0.09' }),
  `${debtAt}/tax_rate required`,
)
refused('A cost of debt that is empty', debt({}), `${debtAt}/pre_tax required`)
refused(
  'Weights of capital that do not add up to 1',
  inputs({ cost_of_capital: { weights: { equity: '0.6', debt: '0.3' } } }),
  '/inputs/cost_of_capital/weights out_of_range',
)

const rate = { from: 'EUR', to: 'USD', rate: '1.08', as_of: '2026-06-30', source: 'Bank' }
refused('An exchange rate of the valuation date', inputs({ fx: [rate] }))
refused(
  'An exchange rate of a later day, of 0, and twice',
  inputs({ fx: [rate, { ...rate, rate: '0', as_of: '2026-07-01' }] }),
  '/inputs/fx/1/rate out_of_range',
  '/inputs/fx/1/as_of out_of_range',
  '/inputs/fx/1 conflict',
)
refused(
  'An exchange rate of one currency',
  inputs({ fx: [{ ...rate, to: 'EUR' }] }),
  '/inputs/fx/0/to conflict',
)

const study = { model: 'cited_study', rate: '0.3', source: 'Study', as_of: '2020-01-01' } as const
refused('Discounts', inputs({ discounts: { dlom: study } }))
refused(
  'A discount of 1, and figures of later days',
  inputs({
    discounts: {
      dloc: { control_premium: '0.25', source: 'Study', as_of: '2027-01-01' },
      dlom: { ...study, rate: '1', as_of: '2027-01-01' },
    },
  }),
  '/inputs/discounts/dloc/as_of out_of_range',
  '/inputs/discounts/dlom/rate out_of_range',
  '/inputs/discounts/dlom/as_of out_of_range',
)
refused(
  'A put of chaffe without a risk-free rate, for no time',
  inputs({ discounts: { dlom: { model: 'chaffe', volatility: '0.6', years: '0' } } }),
  '/inputs/discounts/dlom/years out_of_range',
  '/inputs/discounts/dlom/risk_free required',
)
refused(
  'A put of finnerty without a risk-free rate',
  inputs({ discounts: { dlom: { model: 'finnerty', volatility: '0.6', years: '2' } } }),
)
refused('No shares', inputs({ bridge: { shares: '0' } }), '/inputs/bridge/shares out_of_range')

const truck = { name: 'Truck', amount: '50000', recovery: '0.6' }
const sale = { method: 'liquidation', kind: 'orderly', assets: [truck] } satisfies Methods[number]
const inLiquidation = (change: Partial<typeof sale> & { discount_rate?: string }): Change => ({
  ...methods({ ...sale, ...change }),
  premise_of_value: 'orderly_liquidation',
})
refused('A sale in an orderly liquidation', inLiquidation({}))
refused(
  'A sale that brings more than the amount',
  inLiquidation({ assets: [{ ...truck, recovery: '1.1' }] }),
  '/methods/0/assets/0/recovery out_of_range',
)
refused('A discount without a time', inLiquidation({ discount_rate: '0.1' }), '/methods/0/months requires')
refused('A liquidation of a going concern', methods(sale))
const asset_id = 'ast_01JD0000000000000000000000'
refused(
  'One asset in two items',
  methods({
    method: 'adjusted_net_assets',
    assets: [
      { name: 'A', amount: '1', asset_id },
      { name: 'B', amount: '1', asset_id },
    ],
  }),
  '/methods/0/assets/1/asset_id conflict',
)
refused(
  'Excess earnings capitalized at 0',
  methods({
    method: 'excess_earnings',
    earnings: '100',
    net_tangible_assets: '400',
    tangible_return: '0.1',
    intangible_rate: '0.0',
  }),
  '/methods/0/intangible_rate out_of_range',
)

test('Growth is refused exactly if it is at the discount rate or above it', () => {
  const thousandths = fc.integer({ min: 1, max: 999 })
  fc.assert(
    fc.property(thousandths, thousandths, (growth, discount) => {
      const method = {
        ...capitalized,
        growth: (growth / 1000).toFixed(3),
        discount_rate: (discount / 1000).toFixed(3),
      }
      assert.equal(faultsOf(methods(method)).length > 0, growth >= discount)
    }),
  )
})
