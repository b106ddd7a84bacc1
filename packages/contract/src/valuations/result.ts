import type { Static } from 'typebox'
import { T } from '../json/type.ts'
import { component, fullDate, nullable, open, openSet, uuid } from '../schema.ts'
import { adjustmentKinds, incomeLines } from './inputs.ts'
import { levelsOfValue, methodNames, multipleMetrics } from './methods.ts'

const text = (description: string) => T.String({ description })
const decimal = (description: string) => T.String({ description: `${description} A decimal string.` })

/** An amount with its currency. The amount has two decimal places. */
export const Money = component(
  'Money',
  open({ amount: decimal('The amount.'), currency: T.String({ description: 'As in ISO 4217.' }) }),
)
export interface MoneyValue {
  amount: string
  currency: string
}

export const approaches = ['income', 'market', 'asset'] as const

/** The metric that a method is applied to. */
export const basisMetrics = [
  ...multipleMetrics,
  'net_cash_flow',
  'net_assets',
  'earnings',
  'look_through',
] as const

/** The steps from the value of a method to that of the interest. */
const stepCodes = [
  'dloc',
  'dlom',
  'control_premium',
  'cash',
  'interest_bearing_debt',
  'non_operating_assets',
  'working_capital',
  'interest',
  'holding_discount',
] as const

const checkCodes = [
  'net_income_does_not_add_up',
  'ebit_does_not_add_up',
  'total_assets_do_not_add_up',
  'balance_sheet_does_not_balance',
  'adjusted_line_is_negative',
  'terminal_share_above_80_percent',
  'stated_sde_differs',
  'stated_ebitda_differs',
  'stated_net_cash_flow_differs',
  'excess_earnings_differ',
] as const

/** The names of methods in a result: those of a document, and look-through for a portfolio. */
const resultMethods = [...methodNames, 'look_through'] as const

export const Conclusion = component(
  'ValuationConclusion',
  open({
    low: Money,
    point: Money,
    high: Money,
    per_share: nullable(Money),
    level_of_value: openSet(levelsOfValue),
  }),
)

const Driver = {
  driver: text('The ID of the node of the calculation.'),
  label: text('What it is, for people.'),
}

export const Sensitivity = component(
  'ValuationSensitivity',
  open({
    tornado: T.Array(
      open({
        ...Driver,
        base: decimal('The value in the calculation.'),
        low_input: decimal('The low value that was tried.'),
        high_input: decimal('The high value that was tried.'),
        low: Money,
        high: Money,
        swing: Money,
      }),
      {
        description:
          'How far each driver moves the conclusion, the one that moves it most first: at most 40 drivers.',
      },
    ),
    grid: nullable(
      open({
        x: open({ ...Driver, values: T.Array(T.String()) }),
        y: open({ ...Driver, values: T.Array(T.String()) }),
        points: T.Array(T.Array(nullable(T.String())), {
          description:
            'The amounts of the conclusion: a row for each y, a column for each x. Null where there is none.',
        }),
      }),
    ),
    monte_carlo: nullable(
      open({
        draws: T.Integer(),
        p5: Money,
        p25: Money,
        p50: Money,
        p75: Money,
        p95: Money,
        mean: Money,
        standard_deviation: Money,
        distribution: text('How the drivers were drawn.'),
      }),
    ),
    moves_most: nullable(text('The ID of the driver that moves the conclusion most.')),
  }),
)

const MethodResult = open({
  method: openSet(resultMethods),
  used: T.Boolean(),
  reason_rejected: nullable(text('Why it is not used.')),
  basis_metric: nullable(openSet(basisMetrics)),
  basis: nullable(Money),
  period: nullable(text('The key of the period, or weighted.')),
  multiple: nullable(decimal('The multiple.')),
  rate: nullable(decimal('The rate at which cash flows are discounted or capitalized.')),
  base_level: nullable(openSet(levelsOfValue)),
  indicated: nullable(Money),
  concluded: nullable(Money),
  is_check: T.Boolean({ description: 'Whether it only checks the others, and has no weight.' }),
})

/** What a valuation concludes, and all that leads there. */
export const Result = component(
  'ValuationResult',
  open({
    normalisation: T.Array(
      open({
        key: T.String(),
        line: openSet(incomeLines),
        period: T.String(),
        reported: nullable(Money),
        adjustment: Money,
        adjusted: nullable(Money),
        kind: openSet(adjustmentKinds),
        evidence_id: nullable(uuid()),
        note: nullable(T.String()),
      }),
      {
        description:
          'The adjustments, those of the oldest period first. adjusted is the line after this adjustment and the earlier ones of it.',
      },
    ),
    earnings: T.Array(
      open({
        period: T.String(),
        revenue: nullable(Money),
        sde: nullable(Money),
        ebitda: nullable(Money),
        ebit: nullable(Money),
        net_cash_flow: nullable(Money),
        is_stated: T.Boolean({ description: 'Whether an earnings figure was stated, not computed.' }),
      }),
      { description: 'The normalized figures of each period, the oldest first.' },
    ),
    checks: T.Array(
      open({
        code: openSet(checkCodes),
        period: nullable(T.String()),
        reported: nullable(T.String()),
        computed: nullable(T.String()),
        difference: nullable(T.String()),
      }),
      {
        description:
          'Figures that do not add up or are out of the ordinary. They are reported, not repaired. difference is reported less computed.',
      },
    ),
    cost_of_capital: nullable(
      open({
        cost_of_equity: nullable(decimal('The cost of equity.')),
        cost_of_debt: nullable(decimal('The cost of debt after taxes.')),
        wacc: nullable(decimal('The weighted average cost of capital.')),
      }),
    ),
    approaches: T.Array(
      open({
        approach: openSet(approaches),
        considered: T.Boolean(),
        used: T.Boolean(),
        reason_rejected: nullable(T.String()),
        methods: T.Array(MethodResult),
      }),
    ),
    adjustments: T.Array(
      open({
        code: openSet(stepCodes),
        method: nullable(openSet(resultMethods)),
        applied: T.Boolean(),
        rate: nullable(decimal('The rate.')),
        amount: nullable(Money),
        reason: T.String(),
        source: nullable(T.String()),
        as_of: nullable(fullDate()),
      }),
    ),
    reconciliation: T.Array(
      open({
        method: openSet(resultMethods),
        value: Money,
        weight: decimal('The weight that was used.'),
        rationale: T.String(),
      }),
    ),
    conclusion: Conclusion,
    sensitivity: Sensitivity,
    holdings: nullable(
      T.Array(
        open({
          key: T.String(),
          subject_type: T.String(),
          name: T.String(),
          ownership_percent: decimal('The share, through all portfolios that lead to it, in percent.'),
          value: Money,
          converted: Money,
          rate: nullable(decimal('The exchange rate.')),
          discount: nullable(decimal('The discounts of the holding and of those that lead to it, together.')),
          share: Money,
          path: T.Array(T.String(), {
            description: 'The keys of the holdings that lead to it, the outermost first.',
          }),
        }),
      ),
    ),
    assumptions: T.Array(T.String()),
    limiting_conditions: T.Array(T.String()),
    sources: T.Array(open({ figure: T.String(), source: T.String(), as_of: nullable(T.String()) })),
    subsequent_events: T.Array(open({ on: fullDate(), text: T.String() })),
    factors_59_60: T.Array(
      open({
        order: T.Integer(),
        factor: T.String(),
        addressed: T.Boolean(),
        note: T.String({ description: 'Where the valuation addresses it, or what is missing.' }),
      }),
      { description: 'The eight factors of Rev. Rul. 59-60.' },
    ),
    engine: open({
      version: T.String(),
      benchmark_set_id: nullable(uuid()),
      benchmark_set_sha256: nullable(T.String()),
      seed: T.Integer(),
      input_hash: T.String({ description: 'The SHA-256 of the document, as in RFC 8785.' }),
      result_hash: T.String({
        description: 'The SHA-256 of this result without this field, as in RFC 8785.',
      }),
    }),
  }),
)

/** The result in TypeScript: components hide their type, so it is read from the schema where it is needed. */
export type ValuationResult = Static<typeof Result>
export type SensitivityResult = Static<typeof Sensitivity>

/** The operations of nodes in a calculation. */
export const nodeOps = ['add', 'subtract', 'multiply', 'divide', 'power', 'level', 'lookup', 'input'] as const
