/** A business with statements of three periods, valued by four methods of two approaches. */
export const document = {
  subject: { type: 'business', name: 'Corner Bakery' },
  engagement_type: 'indicative',
  purpose: 'sale',
  standard_of_value: 'fair_market_value',
  premise_of_value: 'going_concern',
  level_of_value: 'control_nonmarketable',
  interest: { percent: '100', kind: 'equity' },
  valuation_date: '2026-06-30',
  currency: 'USD',
  weights: {
    sde_multiple: '0.4',
    guideline_transactions: '0.2',
    capitalized_cash_flow: '0.2',
    discounted_cash_flow: '0.2',
  },
  inputs: {
    periods: [2023, 2024, 2025].map((year, i) => periodOf(year, 760_000 + i * 20_000)),
    adjustments: [2023, 2024, 2025].flatMap(year => [
      {
        key: `owner-${year}`,
        period: String(year),
        line: 'owner_compensation',
        kind: 'owner_compensation',
        amount: '80000',
        owner: 'Ann',
        replacement_cost: '55000',
        note: 'W-2 of the owner.',
      },
      {
        key: `storm-${year}`,
        period: String(year),
        line: 'operating_expenses',
        kind: 'non_recurring',
        amount: '4500',
        note: 'Repairs after the storm.',
      },
    ]),
    cost_of_capital: {
      equity: {
        model: 'build_up',
        risk_free: '0.035',
        equity_risk_premium: '0.055',
        size_premium: '0.0522',
        company_specific: '0.06',
      },
      debt: { pre_tax: '0.09', tax_rate: '0.25' },
      weights: { equity: '0.7', debt: '0.3' },
    },
    bridge: { cash: '40000', interest_bearing_debt: '60000' },
    discounts: { dlom: { model: 'finnerty', volatility: '0.5', years: '2', risk_free: '0.04' } },
  },
  methods: [
    { method: 'sde_multiple', multiple: '2.51', source: 'Broker survey', as_of: '2025-12-31' },
    {
      method: 'guideline_transactions',
      metric: 'sde',
      statistic: 'median',
      rows: [410_000, 455_000, 388_000, 520_000, 467_000].map((price, i) => ({
        name: `Bakery ${i + 1}`,
        price: String(price),
        metric_amount: String(170_000 + i * 6_000),
        closed_on: `2025-0${i + 1}-15`,
        source: 'Own deals',
      })),
    },
    {
      method: 'capitalized_cash_flow',
      cash_flow: { from: 'net_cash_flow' },
      cash_flow_is: 'base_year',
      discount_rate: { from: 'wacc' },
      growth: '0.025',
    },
    {
      method: 'discounted_cash_flow',
      cash_flows: ['92000', '95000', '98000', '101000', '104000'],
      discount_rate: { from: 'wacc' },
      mid_year: true,
      terminal: { kind: 'gordon', growth: '0.025' },
    },
  ],
}

/** Statements whose lines add up. */
function periodOf(year: number, revenue: number) {
  const costs = { cost_of_sales: Math.round(revenue * 0.4), operating_expenses: 260_000 }
  const rest = { owner_compensation: 80_000, depreciation: 20_000, interest_expense: 6_000, taxes: 12_000 }
  const net_income = [...Object.values(costs), ...Object.values(rest)].reduce(
    (left, amount) => left - amount,
    revenue,
  )
  const figures = { revenue, ...costs, ...rest, net_income }
  return {
    key: String(year),
    start: `${year}-01-01`,
    end: `${year}-12-31`,
    basis: 'tax_return',
    income: {
      ...Object.fromEntries(Object.entries(figures).map(([line, value]) => [line, String(value)])),
      tax_rate: '0.25',
      capital_expenditure: '18000',
      change_in_working_capital: '3000',
    },
    balance: {
      cash: '40000',
      receivables: '30000',
      inventory: '25000',
      fixed_assets: '120000',
      total_assets: '215000',
      payables: '35000',
      interest_bearing_debt: '60000',
      equity: '120000',
    },
  }
}
