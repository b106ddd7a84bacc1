import type { Static } from 'typebox'
import { T } from '../json/type.ts'
import {
  closed,
  component,
  fullDate,
  lineOfText,
  linesOfText,
  nullable,
  oneOf,
  taggedUnion,
  uuid,
} from '../schema.ts'
import { CostOfCapital } from './cost-of-capital.ts'
import { amount, currency, money, rate, rateFromZero, share, wideRate } from './decimals.ts'
import { Source } from './source.ts'

const optional = T.Optional

/** A name within a document, such as that of a period or an adjustment. */
const key = (description: string, example: string) =>
  T.Unsafe<string>({
    type: 'string',
    pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
    description,
    examples: [example],
  })

const Evidence = nullable(uuid('The evidence that supports it: an evidence_id of this valuation.'))

/** The lines of an income statement, in the order in which a report shows them. */
export const incomeLines = [
  'revenue',
  'cost_of_sales',
  'operating_expenses',
  'owner_compensation',
  'depreciation',
  'amortization',
  'interest_expense',
  'other_income',
  'taxes',
  'net_income',
] as const
export type IncomeLine = (typeof incomeLines)[number]

/** Further figures of a period that belong to its income and cash flow. */
export const incomeFigures = ['ebit', 'tax_rate', 'capital_expenditure', 'change_in_working_capital'] as const

/** The lines of a balance sheet, in the order in which a report shows them. */
export const balanceLines = [
  'cash',
  'receivables',
  'inventory',
  'fixed_assets',
  'intangibles',
  'other_assets',
  'total_assets',
  'payables',
  'interest_bearing_debt',
  'other_liabilities',
  'equity',
] as const

export const statementBases = ['tax_return', 'audited', 'reviewed', 'compiled', 'internal'] as const

const Income = component(
  'IncomeStatement',
  closed({
    revenue: optional(money('Revenue.', '800000')),
    cost_of_sales: optional(money('Cost of sales.', '320000')),
    operating_expenses: optional(
      money('Operating expenses, without the lines that have a field of their own.', '280000'),
    ),
    owner_compensation: optional(money('What the owners were paid.', '80000')),
    depreciation: optional(money('Depreciation.', '20000')),
    amortization: optional(money('Amortization.', '0')),
    interest_expense: optional(money('Interest paid.', '10000')),
    other_income: optional(money('Other income.', '0')),
    taxes: optional(money('Income taxes.', '0')),
    net_income: optional(money('Net income.', '90000')),
    ebit: optional(money('Earnings before interest and taxes, if they were stated.', '100000')),
    tax_rate: optional(share('The rate of income tax.', '0.21')),
    capital_expenditure: optional(money('What was spent on fixed assets.', '15000')),
    change_in_working_capital: optional(money('By how much working capital grew.', '5000')),
  }),
)

const Balance = component(
  'BalanceSheet',
  closed({
    cash: optional(money('Cash.', '40000')),
    receivables: optional(money('Receivables.', '30000')),
    inventory: optional(money('Inventory.', '25000')),
    fixed_assets: optional(money('Fixed assets, after depreciation.', '120000')),
    intangibles: optional(money('Intangible assets.', '0')),
    other_assets: optional(money('Other assets.', '5000')),
    total_assets: optional(money('Total assets.', '220000')),
    payables: optional(money('Payables.', '35000')),
    interest_bearing_debt: optional(money('Debt that bears interest.', '60000')),
    other_liabilities: optional(money('Other liabilities.', '5000')),
    equity: optional(money('Equity.', '120000')),
  }),
)

/** The financial statements of one period. */
const Period = component(
  'StatementPeriod',
  closed({
    key: key('The name of the period in this document.', '2025'),
    start: fullDate('Its first day.'),
    end: fullDate('Its last day.'),
    basis: oneOf(statementBases, 'How reliable the statements are.'),
    known_or_knowable: optional(
      T.Boolean({
        description:
          'Whether the figures were known or could be known at the valuation date. Required to be true for a period that ends later.',
      }),
    ),
    evidence_id: optional(Evidence),
    income: optional(Income),
    balance: optional(Balance),
    stated: optional(
      closed({
        sde: optional(money("Seller's discretionary earnings as stated by somebody else.", '200000')),
        ebitda: optional(money('EBITDA as stated by somebody else.', '120000')),
        net_cash_flow: optional(money('Net cash flow as stated by somebody else.', '95000')),
      }),
    ),
  }),
)

export const adjustmentKinds = [
  'owner_compensation',
  'related_party',
  'non_recurring',
  'discretionary',
  'non_operating',
  'accounting',
] as const

/** A normalisation of the income statement of one period. */
const Adjustment = component(
  'NormalizationAdjustment',
  closed({
    key: key('The name of the adjustment in this document.', 'a1'),
    period: key('The key of its period.', '2025'),
    line: oneOf(incomeLines, 'The line of the income statement.'),
    kind: oneOf(adjustmentKinds, 'Why the line is adjusted.'),
    amount: money('What is added back to earnings; a negative amount is taken off.', '80000'),
    owner: optional(lineOfText(200, { description: 'The owner whose compensation it is.', example: 'Ann' })),
    replacement_cost: optional(
      amount('What it would cost to pay somebody else for the same work. EBITDA keeps this cost.', '60000'),
    ),
    evidence_id: optional(Evidence),
    note: optional(
      T.Unsafe<string>({
        ...linesOfText(2000, { description: 'What a reader should know.', example: 'W-2 of 2025.' }),
        minLength: 0,
        pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$',
      }),
    ),
  }),
)

const Bridge = component(
  'EquityBridge',
  closed({
    cash: optional(money('Cash, which is added to get from enterprise value to equity.', '0')),
    interest_bearing_debt: optional(money('Debt, which is deducted.', '200')),
    non_operating_assets: optional(money('Assets that operations do not need, which are added.', '0')),
    working_capital: optional(
      closed({
        actual: money('Working capital at the valuation date.', '50000'),
        normal: money('Working capital that operations need. The difference is added.', '45000'),
      }),
    ),
    shares: optional(amount('The number of shares, for the value of one.', '100')),
  }),
)

const optionModel = {
  volatility: wideRate('The annual volatility of the shares.', '0.6'),
  years: share('The holding period in years.', '2'),
  risk_free: optional(rate('The risk-free rate, continuously compounded. Required for chaffe.', '0.04')),
  dividend_yield: optional(rateFromZero('The dividend yield, continuously compounded.', '0')),
}

const OptionDlom = component(
  'OptionModelDlom',
  closed({
    model: oneOf(
      ['finnerty', 'chaffe'],
      'finnerty: an average-strike put. chaffe: a European put at the money.',
    ),
    ...optionModel,
  }),
)
const StudyDlom = component(
  'CitedStudyDlom',
  closed({
    model: oneOf(['cited_study'], 'A rate from a study.'),
    rate: share('The discount.', '0.30'),
    source: Source,
    as_of: fullDate('The date of the study.'),
  }),
)

const Discounts = component(
  'Discounts',
  closed({
    dloc: optional(
      closed({
        control_premium: wideRate(
          'The control premium from which the discount for lack of control follows.',
          '0.25',
        ),
        source: Source,
        as_of: fullDate('The date of the figure.'),
      }),
    ),
    dlom: optional(taggedUnion('model', [OptionDlom, StudyDlom], 'The discount for lack of marketability.')),
  }),
)

/** An exchange rate. */
const ExchangeRate = closed({
  from: currency('The currency that is converted.'),
  to: currency('The currency into which it is converted.'),
  rate: share('How much of `to` one unit of `from` is worth.', '1.08'),
  as_of: fullDate('The day of the rate: on or before the valuation date.'),
  source: Source,
})

/** What a valuation is computed from. */
export const Inputs = component(
  'ValuationInputs',
  closed({
    periods: optional(
      T.Array(Period, { maxItems: 12, description: 'The statements, oldest or newest first.' }),
    ),
    adjustments: optional(T.Array(Adjustment, { maxItems: 200 })),
    cost_of_capital: optional(CostOfCapital),
    bridge: optional(Bridge),
    discounts: optional(Discounts),
    benchmark_set_id: optional(
      nullable(
        uuid(
          'The benchmark set that gives multiples which the methods leave out. By default that of the service.',
        ),
      ),
    ),
    fx: optional(T.Array(ExchangeRate, { maxItems: 50 })),
    events: optional(
      T.Array(
        closed({
          on: fullDate('The day.'),
          text: linesOfText(2000, {
            description: 'What happened.',
            example: 'The largest customer gave notice.',
          }),
        }),
        {
          maxItems: 100,
          description: 'Events that the report discloses. Those after the valuation date are not used.',
        },
      ),
    ),
  }),
)
export type ValuationInputs = Static<typeof Inputs>
