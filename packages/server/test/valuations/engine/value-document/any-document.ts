import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { levelsOfValue } from '@wbs/contract/valuations/methods'
import fc from 'fast-check'

/** Mostly usual values, at times one at the ends of what the form allows. */
const mostly = <Value>(usual: fc.Arbitrary<Value>, ...extremes: Value[]) =>
  fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...extremes) })
const percents = (min: number, max: number) => fc.integer({ min, max }).map(percent => String(percent / 100))

const amount = mostly(
  fc.integer({ min: 1, max: 2_000_000 }).map(String),
  '0',
  '0.000000000001',
  '999999999999999999.999999999999',
)
const money = fc.oneof(
  { weight: 5, arbitrary: amount },
  { weight: 1, arbitrary: amount.map(text => (/[1-9]/.test(text) ? `-${text}` : text)) },
)
const ratio = mostly(percents(5, 40), '0', '0.000000000000000001', '1', '999999.999999999999999999')
const growth = mostly(percents(-10, 4), '-0.999999', '-1', '0.5')
const optional = <Value>(value: fc.Arbitrary<Value>, freq = 2) => fc.option(value, { nil: undefined, freq })
const baseLevel = { base_level: optional(fc.constantFrom(...levelsOfValue)) }
const sourced = { source: fc.constant('Survey'), as_of: fc.constant('2025-12-31') }

const income = fc.record({
  revenue: optional(amount),
  net_income: optional(money),
  owner_compensation: optional(amount),
  depreciation: optional(amount),
  interest_expense: optional(amount),
  taxes: optional(money),
  tax_rate: optional(fc.constantFrom('0', '0.25', '1')),
  capital_expenditure: optional(amount),
})

const methods: readonly fc.Arbitrary<object>[] = [
  ...(['sde_multiple', 'ebitda_multiple', 'revenue_multiple'] as const).map(method =>
    fc.record({ method: fc.constant(method), multiple: ratio, ...baseLevel, ...sourced }),
  ),
  fc.record({
    method: fc.constant('capitalized_cash_flow'),
    cash_flow: fc.oneof(money, fc.constant({ from: 'net_cash_flow' })),
    cash_flow_is: fc.constantFrom('next_year', 'base_year'),
    discount_rate: fc.oneof(ratio, fc.constant({ from: 'cost_of_equity' })),
    growth,
    ...baseLevel,
  }),
  fc.record({
    method: fc.constant('discounted_cash_flow'),
    cash_flows: fc.array(money, { minLength: 1, maxLength: 30 }),
    discount_rate: fc.oneof(ratio, fc.constant({ from: 'cost_of_equity' })),
    mid_year: fc.boolean(),
    terminal: fc.oneof(
      fc.record({ kind: fc.constant('gordon'), growth }),
      fc.record({ kind: fc.constant('exit_multiple'), metric_amount: money, multiple: ratio }),
    ),
    ...baseLevel,
  }),
  fc.record({
    method: fc.constant('adjusted_net_assets'),
    assets: fc.array(fc.record({ name: fc.constant('Asset'), amount }), { minLength: 1, maxLength: 5 }),
    liabilities: fc.array(fc.record({ name: fc.constant('Debt'), amount }), { maxLength: 3 }),
    ...baseLevel,
  }),
  fc.record({
    method: fc.constant('excess_earnings'),
    earnings: money,
    net_tangible_assets: amount,
    tangible_return: ratio,
    intangible_rate: ratio,
  }),
]

/** Documents of the right form, many of which are wrong, with figures at the ends of what the form allows. */
export const anyDocument = fc
  .record({
    level_of_value: fc.constantFrom(...levelsOfValue),
    interest: fc.record({
      percent: fc.constantFrom('0', '0.000000000001', '12.5', '100'),
      kind: fc.constantFrom('equity', 'assets', 'invested_capital'),
    }),
    incomes: fc.array(income, { minLength: 1, maxLength: 3 }),
    methods: fc.tuple(...methods.map(method => optional(method))),
    equity: optional(
      fc.record({ model: fc.constant('build_up'), risk_free: ratio, equity_risk_premium: ratio }),
    ),
    bridge: optional(
      fc.record({ cash: optional(money), interest_bearing_debt: optional(money), shares: optional(amount) }),
    ),
    dloc: optional(fc.record({ control_premium: ratio, ...sourced }), 9),
    dlom: optional(
      fc.oneof(
        fc.record({ model: fc.constant('cited_study'), rate: ratio, ...sourced }),
        fc.record({
          model: fc.constantFrom('finnerty', 'chaffe'),
          volatility: mostly(percents(20, 90), '0', '999999'),
          years: fc.constantFrom('0.5', '2', '10', '0'),
          risk_free: growth,
          dividend_yield: mostly(percents(0, 10), '999999'),
        }),
      ),
    ),
  })
  .map(({ incomes, methods: chosen, equity, bridge, dloc, dlom, level_of_value, interest }) => {
    const document = {
      subject: { type: 'business' },
      engagement_type: 'calculation',
      purpose: 'planning',
      standard_of_value: 'fair_market_value',
      premise_of_value: 'going_concern',
      level_of_value,
      interest,
      valuation_date: '2026-06-30',
      currency: 'USD',
      inputs: {
        periods: incomes.map((one, at) => ({
          key: `p${at}`,
          start: `${2020 + at}-01-01`,
          end: `${2020 + at}-12-31`,
          basis: 'internal',
          income: one,
        })),
        cost_of_capital: equity && { equity },
        bridge,
        discounts: { dloc, dlom },
      },
      methods: chosen.filter(method => method !== undefined),
    }
    // What is undefined is absent, as in a request.
    return JSON.parse(JSON.stringify(document)) as ValuationDocument
  })
