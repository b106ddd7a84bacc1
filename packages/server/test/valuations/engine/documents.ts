import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { Resolved } from '../../../src/valuations/engine/engine.ts'

/** What the engine gets besides a document: a small benchmark set, and no evidence. */
export const resolvedWith = (changes: Partial<Resolved> = {}): Resolved => ({
  name: 'Corner Bakery',
  naics_code: '311811',
  benchmark_set: {
    benchmark_set_id: '00000000-0000-4000-8000-000000000014',
    sha256: '0'.repeat(64),
    rows: [],
  },
  evidence: [],
  holdings: [],
  ...changes,
})

/** The statements of a year, in which everything adds up. */
export const yearOf = (year: number, scale = 1) => ({
  key: String(year),
  start: `${year}-01-01`,
  end: `${year}-12-31`,
  basis: 'tax_return' as const,
  income: {
    revenue: String(800_000 * scale),
    cost_of_sales: String(320_000 * scale),
    operating_expenses: String(280_000 * scale),
    owner_compensation: String(80_000 * scale),
    depreciation: String(20_000 * scale),
    interest_expense: String(10_000 * scale),
    net_income: String(90_000 * scale),
    tax_rate: '0.25',
    capital_expenditure: String(15_000 * scale),
    change_in_working_capital: String(5_000 * scale),
  },
})

/** A document with one method whose multiple is given. */
export const bakery = (changes: Partial<ValuationDocument> = {}): ValuationDocument => ({
  subject: { type: 'business', name: 'Corner Bakery' },
  engagement_type: 'indicative',
  purpose: 'sale',
  standard_of_value: 'fair_market_value',
  premise_of_value: 'going_concern',
  level_of_value: 'control_nonmarketable',
  interest: { percent: '100', kind: 'equity' },
  valuation_date: '2026-06-30',
  currency: 'USD',
  inputs: { periods: [yearOf(2025)] },
  methods: [{ method: 'sde_multiple', multiple: '2.5', source: 'Broker survey', as_of: '2025-12-31' }],
  ...changes,
})

/** A document with three periods and four methods, adjustments, bridge and discounts. */
export const manyMethods = (changes: Partial<ValuationDocument> = {}): ValuationDocument =>
  bakery({
    engagement_type: 'calculation',
    level_of_value: 'minority_nonmarketable',
    interest: { percent: '30', kind: 'equity' },
    inputs: {
      periods: [yearOf(2023, 0.8), yearOf(2024, 0.9), yearOf(2025)],
      adjustments: [
        {
          key: 'a1',
          period: '2025',
          line: 'owner_compensation',
          kind: 'owner_compensation',
          amount: '80000',
          owner: 'Ann',
          replacement_cost: '50000',
        },
      ],
      cost_of_capital: {
        equity: {
          model: 'build_up',
          risk_free: '0.035',
          equity_risk_premium: '0.055',
          size_premium: '0.0522',
          company_specific: '0.05',
        },
      },
      bridge: {
        cash: '40000',
        interest_bearing_debt: '60000',
        non_operating_assets: '12000',
        working_capital: { actual: '50000', normal: '45000' },
        shares: '1000',
      },
      discounts: {
        dloc: { control_premium: '0.25', source: 'Control premium study', as_of: '2025-12-31' },
        dlom: { model: 'finnerty', volatility: '0.6', years: '2' },
      },
      events: [
        { on: '2026-09-01', text: 'The largest customer gave notice.' },
        { on: '2026-01-15', text: 'A second shop was opened.' },
      ],
    },
    methods: [
      { method: 'sde_multiple', multiple: '2.5', source: 'Broker survey', as_of: '2025-12-31' },
      { method: 'ebitda_multiple', multiple: '3.5', source: 'Broker survey', as_of: '2025-12-31' },
      {
        method: 'discounted_cash_flow',
        cash_flows: ['70000', '75000', '80000'],
        discount_rate: { from: 'cost_of_equity' },
        mid_year: true,
        terminal: { kind: 'gordon', growth: '0.02' },
      },
      {
        method: 'capitalized_cash_flow',
        cash_flow: { from: 'net_cash_flow' },
        cash_flow_is: 'base_year',
        discount_rate: '0.19',
        growth: '0.025',
      },
    ],
    weights: {
      sde_multiple: '0.4',
      ebitda_multiple: '0.2',
      discounted_cash_flow: '0.3',
      capitalized_cash_flow: '0.1',
    },
    ...changes,
  })
