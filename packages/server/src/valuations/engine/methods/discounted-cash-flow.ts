import type { MethodOf } from '@wbs/contract/valuations/methods'
import type { CalculationNode } from '../calculation/node.ts'
import { Decimal, decimal, ratioText } from '../decimal.ts'
import type { Check, EngineContext, MethodFunction } from '../engine.ts'
import { discountRate, flowsOfEquity } from './discount-rate.ts'
import { makeDriverByTenth } from './driver.ts'
import { incomeOutcome } from './income-outcome.ts'
import { perpetuity, type Perpetuity } from './perpetuity.ts'

type DiscountedCashFlow = MethodOf<'discounted_cash_flow'>

const prefix = 'discounted_cash_flow'

/**
 * Discounted cash flow: V = Σ CFₜ ÷ (1 + k)^t + TV ÷ (1 + k)^n, with t = 1, 2, … n years, or t − 0.5 if cash flows come in the
 * middle of their years. The terminal value is CFₙ × (1 + g) ÷ (k − g), or a metric × a multiple. Amounts are in the currency of
 * the document, rates are fractions a year. A value that is not above 0 rejects the method; so does a last cash flow that is not
 * above 0 if it has to grow for ever. Throws InvalidDocument if growth is not below the rate.
 * With mid-year cash flows, the terminal value of growth for ever is discounted over n − 0.5 years, because the flows after year
 * n come in the middle of their years too; a sale at a multiple happens at the end of year n.
 * Source: Pratt, S., and Grabowski, R., "Cost of Capital: Applications and Examples", 5th edition, Wiley, 2014.
 *
 * By default it indicates a marketable control value, for the reason that `capitalizedCashFlow` gives.
 */
export const discountedCashFlow: MethodFunction<DiscountedCashFlow> = (context, parts, method, at) => {
  const { terminal } = method
  const found = discountRate(context, parts.rates, method, at)
  const { rate, indicates } = found
  const growing =
    terminal.kind === 'gordon'
      ? perpetuity(context, prefix, rate, terminal.growth, `${at}/terminal/growth`)
      : null
  const outcome = incomeOutcome(method, {
    ...found,
    assumptions: [
      ...found.assumptions,
      ...(indicates === 'equity' ? [flowsOfEquity] : []),
      `Cash flows come ${method.mid_year ? 'in the middle' : 'at the end'} of each year after the valuation date.`,
    ],
  })
  if (growing && decimal(method.cash_flows.at(-1) ?? '0').lessThanOrEqualTo(0))
    return { ...outcome, reason_rejected: 'The last cash flow is not above 0, so it cannot grow for ever.' }
  const discount = discounting(context, rate)
  const { years, last } = presentValues(context, method, discount)
  const afterwards = discount('terminal', terminalValue(context, method, last, growing), {
    label: 'terminal value',
    years: method.cash_flows.length - (growing && method.mid_year ? 0.5 : 0),
  })
  const indicated = context.calc.add(
    {
      id: `${prefix}.value`,
      label: 'Value by discounted cash flow',
      unit: context.document.currency,
    },
    years,
    afterwards,
  )
  if (indicated.value.lessThanOrEqualTo(0))
    return { ...outcome, reason_rejected: 'The present value of the cash flows is not above 0.' }
  return { ...outcome, indicated, checks: terminalShare(context, afterwards, indicated) }
}

type Discount = (
  name: string,
  amount: CalculationNode,
  when: { label: string; years: number },
) => CalculationNode

/** Discounts amounts at one rate: amount ÷ (1 + k)^years. */
function discounting({ calc, document }: EngineContext, rate: CalculationNode): Discount {
  const unity = calc.input(
    { id: `${prefix}.one_of_rate`, label: '1', unit: 'ratio', formula: 'constant' },
    '1',
  )
  const base = calc.add(
    { id: `${prefix}.rate_factor`, label: 'Annual compound factor', unit: 'ratio' },
    unity,
    rate,
  )
  return (name, amount, { label, years }) => {
    const exponent = calc.input(
      {
        id: `${prefix}.${name}.years`,
        label: 'Years',
        unit: 'years',
        formula: 'time after the valuation date',
      },
      new Decimal(years),
    )
    const factor = calc.power(
      { id: `${prefix}.${name}.factor`, label: 'Compound factor', unit: 'ratio' },
      base,
      exponent,
    )
    return calc.divide(
      {
        id: `${prefix}.${name}.present_value`,
        label: `Present value of the ${label}`,
        unit: document.currency,
      },
      amount,
      factor,
    )
  }
}

/** The sum of the present values of all years, and the last cash flow. */
function presentValues(
  { calc, document }: EngineContext,
  { cash_flows, mid_year }: DiscountedCashFlow,
  discount: Discount,
): { years: CalculationNode; last: CalculationNode } {
  const unit = document.currency
  const flows = cash_flows.map((amount, at) =>
    calc.input({ id: `${prefix}.year.${at + 1}`, label: `Cash flow of year ${at + 1}`, unit }, amount),
  )
  const values = flows.map((flow, at) =>
    discount(`year.${at + 1}`, flow, {
      label: `cash flow of year ${at + 1}`,
      years: at + (mid_year ? 0.5 : 1),
    }),
  )
  const years = calc.add(
    {
      id: `${prefix}.explicit`,
      label: 'Present value of the cash flows',
      unit,
      formula: 'sum of the present values of all years',
    },
    ...values,
  )
  return { years, last: flows.at(-1) as CalculationNode }
}

/** The value at the end of the last year: by growth for ever, or by a sale at a multiple. */
function terminalValue(
  { calc, document }: EngineContext,
  { terminal }: DiscountedCashFlow,
  last: CalculationNode,
  growing: Perpetuity | null,
): CalculationNode {
  const unit = document.currency
  const described = { id: `${prefix}.terminal`, label: 'Terminal value', unit }
  if (growing) {
    const next = { id: `${prefix}.terminal.cash_flow`, label: 'Cash flow after the last year', unit }
    return calc.divide(described, calc.multiply(next, last, growing.growthFactor), growing.capitalizationRate)
  }
  if (terminal.kind === 'gordon') throw new Error('Growth for ever needs a perpetuity.')
  const metric = { id: `${prefix}.terminal.metric`, label: 'Metric at the end of the last year', unit }
  const multiple = calc.input(
    { id: `${prefix}.terminal.multiple`, label: 'Exit multiple', unit: 'multiple' },
    terminal.multiple,
  )
  makeDriverByTenth(multiple)
  return calc.multiply(described, calc.input(metric, terminal.metric_amount), multiple)
}

/** Says if more than 80 percent of the value lies after the last cash flow. */
function terminalShare(
  { calc }: EngineContext,
  afterwards: CalculationNode,
  value: CalculationNode,
): Check[] {
  const share = calc.divide(
    { id: `${prefix}.terminal.share`, label: 'Share of the terminal value', unit: 'ratio' },
    afterwards,
    value,
  )
  if (share.value.lessThanOrEqualTo('0.8')) return []
  const computed = ratioText(share.value)
  return [
    { code: 'terminal_share_above_80_percent', period: null, reported: null, computed, difference: null },
  ]
}
