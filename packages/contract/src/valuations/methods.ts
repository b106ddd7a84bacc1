import type { Static } from 'typebox'
import { T } from '../json/type.ts'
import { closed, component, fullDate, id, lineOfText, nullable, oneOf, taggedUnion } from '../schema.ts'
import { amount, money, rate, rateFromZero, ratePattern, share } from './decimals.ts'
import { Source } from './source.ts'

const optional = T.Optional

export const levelsOfValue = [
  'control_marketable',
  'control_nonmarketable',
  'minority_marketable',
  'minority_nonmarketable',
] as const

/** The measures of earnings and of size that a multiple applies to. */
export const multipleMetrics = ['sde', 'ebitda', 'revenue'] as const

/** Every method, in the order in which a report shows them. */
export const methodNames = [
  'sde_multiple',
  'ebitda_multiple',
  'revenue_multiple',
  'guideline_transactions',
  'capitalized_cash_flow',
  'discounted_cash_flow',
  'adjusted_net_assets',
  'liquidation',
  'excess_earnings',
] as const
export type MethodName = (typeof methodNames)[number]

/** What every method may say. */
const common = {
  base_level: optional(
    oneOf(
      levelsOfValue,
      'The level of value that the method indicates before discounts. By default that of its kind.',
    ),
  ),
  basis_metric: optional(
    oneOf([...multipleMetrics, 'net_cash_flow', 'net_assets'], 'What the method applies to.'),
  ),
  period: optional(
    T.Unsafe<string>({
      type: 'string',
      pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
      description: 'The key of the period whose figures are used, or weighted. By default the last period.',
      examples: ['2025'],
    }),
  ),
  period_weights: optional(
    T.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: share('The weight of the period.', '0.5'),
      propertyNames: { pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$' },
      maxProperties: 12,
      description: 'The weight of each period, if period is weighted. They add up to 1.',
      examples: [{ '2024': '0.4', '2025': '0.6' }],
    }),
  ),
  rationale: optional(
    lineOfText(1000, {
      description: 'Why the method has its weight.',
      example: 'Buyers of such shops price on SDE.',
    }),
  ),
}

const Name = lineOfText(200, { description: 'The name of the item.', example: 'Ovens' })

/** A rate, or the name of a rate that is computed from the cost of capital. */
const DiscountRate = T.Unsafe<string | { from: 'cost_of_equity' | 'wacc' }>({
  ...closed({
    from: oneOf(['cost_of_equity', 'wacc'], 'The rate that follows from inputs.cost_of_capital.'),
  }),
  type: ['string', 'object'],
  pattern: ratePattern,
  description: 'A rate as a fraction of at most 1 (0.2 is 20 percent), or from where it is computed.',
  examples: ['0.2'],
})

const Multiple = component(
  'MultipleMethod',
  closed({
    method: oneOf(
      ['sde_multiple', 'ebitda_multiple', 'revenue_multiple'],
      "A multiple of seller's discretionary earnings, of adjusted EBITDA or of revenue.",
    ),
    ...common,
    multiple: optional(share('The multiple. By default the median of the benchmark set.', '2.51')),
    source: optional(Source),
    as_of: optional(fullDate('The date of the multiple.')),
  }),
)

const GuidelineTransactions = component(
  'GuidelineTransactionsMethod',
  closed({
    method: oneOf(['guideline_transactions'], 'The multiples of transactions that you list.'),
    ...common,
    metric: oneOf(multipleMetrics, 'What the price is divided by.'),
    statistic: oneOf(['median', 'mean'], 'How the multiples are summarized.'),
    rows: T.Array(
      closed({
        name: lineOfText(200, { description: 'What was sold.', example: 'Bakery in Ohio' }),
        price: amount('The price.', '450000'),
        metric_amount: amount('The metric of what was sold.', '180000'),
        closed_on: fullDate('The day of the sale.'),
        source: Source,
      }),
      { minItems: 1, maxItems: 200 },
    ),
  }),
)

const CapitalizedCashFlow = component(
  'CapitalizedCashFlowMethod',
  closed({
    method: oneOf(['capitalized_cash_flow'], 'One cash flow, divided by the discount rate less growth.'),
    ...common,
    cash_flow: T.Unsafe<string | { from: 'net_cash_flow' }>({
      ...closed({ from: oneOf(['net_cash_flow'], 'The net cash flow of the period.') }),
      type: ['string', 'object'],
      pattern: '^-?(?:0|[1-9][0-9]{0,17})(?:\\.[0-9]{1,12})?$',
      description: 'The cash flow as a decimal string, or from where it is computed.',
      examples: ['67'],
    }),
    cash_flow_is: oneOf(['next_year', 'base_year'], 'Whether growth of one year is already in it.'),
    discount_rate: DiscountRate,
    growth: rate('The growth for ever. It must be below the discount rate.', '0.03'),
  }),
)

const Gordon = component(
  'GordonTerminalValue',
  closed({
    kind: oneOf(['gordon'], 'Growth for ever.'),
    growth: rate('The growth for ever. It must be below the discount rate.', '0.03'),
  }),
)
const ExitMultiple = component(
  'ExitMultipleTerminalValue',
  closed({
    kind: oneOf(['exit_multiple'], 'A sale at the end.'),
    metric_amount: money('The metric at the end.', '200000'),
    multiple: share('The multiple of it.', '5'),
  }),
)

const DiscountedCashFlow = component(
  'DiscountedCashFlowMethod',
  closed({
    method: oneOf(
      ['discounted_cash_flow'],
      'Cash flows of coming years, and a terminal value, at their present value.',
    ),
    ...common,
    cash_flows: T.Array(money('The cash flow of a year.', '100'), { minItems: 1, maxItems: 30 }),
    discount_rate: DiscountRate,
    mid_year: optional(
      T.Boolean({
        description: 'Whether cash flows come in the middle of their year. By default at its end.',
      }),
    ),
    terminal: taggedUnion('kind', [Gordon, ExitMultiple], 'The value after the last cash flow.'),
  }),
)

const Liability = closed({ name: Name, amount: amount('What is owed.', '0.2') })

const AdjustedNetAssets = component(
  'AdjustedNetAssetsMethod',
  closed({
    method: oneOf(['adjusted_net_assets'], 'Assets less liabilities, each at its value.'),
    ...common,
    assets: T.Array(
      closed({
        name: Name,
        asset_id: optional(nullable(id('ast'))),
        book: optional(money('The book value.', '120000')),
        amount: amount('The value.', '0.1'),
      }),
      { minItems: 1, maxItems: 500 },
    ),
    liabilities: optional(T.Array(Liability, { maxItems: 500 })),
  }),
)

const Liquidation = component(
  'LiquidationMethod',
  closed({
    method: oneOf(['liquidation'], 'What the assets bring when they are sold, less costs and liabilities.'),
    ...common,
    kind: oneOf(['orderly', 'forced'], 'Whether there is time to sell.'),
    assets: T.Array(
      closed({
        name: Name,
        asset_id: optional(nullable(id('ast'))),
        amount: amount('The value in use or on the market.', '50000'),
        recovery: share('The part of it that a sale brings, at most 1.', '0.6'),
      }),
      { minItems: 1, maxItems: 500 },
    ),
    liabilities: optional(T.Array(Liability, { maxItems: 500 })),
    costs: optional(amount('The costs of selling.', '5000')),
    months: optional(amount('How many months it takes.', '6')),
    discount_rate: optional(rateFromZero('The annual rate at which the proceeds are discounted.', '0.1')),
  }),
)

const ExcessEarnings = component(
  'ExcessEarningsMethod',
  closed({
    method: oneOf(
      ['excess_earnings'],
      'A check: net tangible assets, and the earnings above a return on them. It has no weight.',
    ),
    ...common,
    earnings: money('The normalized earnings.', '100000'),
    net_tangible_assets: amount('The net tangible assets.', '400000'),
    tangible_return: rateFromZero('The return on net tangible assets.', '0.1'),
    intangible_rate: rateFromZero('The rate at which the excess is capitalized; above 0.', '0.2'),
  }),
)

/** A method of a valuation. Each can be used once. */
export const Method = taggedUnion('method', [
  Multiple,
  GuidelineTransactions,
  CapitalizedCashFlow,
  DiscountedCashFlow,
  AdjustedNetAssets,
  Liquidation,
  ExcessEarnings,
])
export type ValuationMethod = Static<typeof Method>
export type MethodOf<Name extends MethodName> = Extract<ValuationMethod, { method: Name | MethodName }> & {
  method: Name
}
