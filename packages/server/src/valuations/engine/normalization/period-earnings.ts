import type { CalculationNode } from '../calculation/node.ts'
import { Decimal } from '../decimal.ts'
import type { EngineContext, NormalizedPeriod } from '../engine.ts'
import type { AddBacks } from './add-backs.ts'
import { labelOf, statementLines, type Period, type StatementLines } from './statement-lines.ts'

/** The name of each normalized figure, for people. */
export const figureNames = {
  revenue: 'Revenue',
  sde: "Seller's discretionary earnings",
  ebitda: 'Adjusted EBITDA',
  ebit: 'Adjusted EBIT',
  net_cash_flow: 'Net cash flow',
} as const
export type FigureName = keyof typeof figureNames

/** How far sensitivity moves a figure of a statement, up and down: 10 percent. It is a convention, not an estimate. */
const usualSpread = new Decimal('0.1')

/** The values from 10 percent below to 10 percent above; none around 0. */
export const spreadAround = (value: Decimal) =>
  value.isZero()
    ? {}
    : {
        spread: {
          low: value.minus(value.abs().times(usualSpread)),
          high: value.plus(value.abs().times(usualSpread)),
        },
      }

/** The node with a spread, so that sensitivity tries other values of it. */
export function asDriver(node: CalculationNode): CalculationNode {
  return Object.assign(node, spreadAround(node.value))
}

/**
 * The normalized figures of one period.
 *
 * EBIT as reported is the line `ebit` if it is given, else net income + interest + taxes. Lines that the statement does not
 * have count as 0; without `ebit` and `net_income` there are no earnings.
 *
 * - SDE = EBIT + depreciation + amortization + the whole pay of one owner + the other adjustments. Other income is part of it
 *   unless an adjustment takes it off. Source: International Business Brokers Association, glossary, "discretionary earnings";
 *   Pratt, S., "Valuing a Business", 5th ed., 2008.
 * - Adjusted EBITDA = EBIT + depreciation + amortization + the pay of owners above market pay + the other adjustments.
 * - Adjusted EBIT = the same without depreciation and amortization.
 * - Net cash flow to invested capital = adjusted EBIT × (1 − tax rate) + depreciation and amortization − capital expenditure
 *   − growth of working capital. Source: Pratt, S. and Grabowski, R., "Cost of Capital", 5th ed., 2014.
 *
 * The pay of the owner is added back once: by the adjustments of the kind owner_compensation, or, if no adjustment concerns
 * it, SDE adds back the line owner_compensation as the pay of one owner. EBITDA never adds the line back by itself: without a
 * replacement cost the pay is taken as market pay. SDE of a period with several owners is null.
 */
export function periodEarnings(context: EngineContext, period: Period, addBacks: AddBacks): NormalizedPeriod {
  // Revenue that no adjustment changes is the normalized figure itself.
  const isAdjusted = addBacks.revenue.length > 0
  const lines = statementLines(context, period, name =>
    name === 'revenue' && !isAdjusted ? name : `income.${name}`,
  )
  const assumptions: NormalizedPeriod['assumptions'] = {}
  const { key } = period
  const unit = context.document.currency
  const named = (name: FigureName) => ({
    id: `period.${key}.${name}`,
    label: `${figureNames[name]} of ${key}`,
    unit,
  })
  const { calc } = context

  const reportedRevenue = lines.figure('revenue')
  const revenue =
    reportedRevenue && isAdjusted
      ? calc.add(named('revenue'), reportedRevenue, ...addBacks.revenue)
      : reportedRevenue

  const reported = reportedEbit(context, period, lines)
  if (!reported) {
    const nothing = { sde: null, ebitda: null, ebit: null, net_cash_flow: null, assumptions }
    return { key, start: period.start, end: period.end, revenue: revenue && asDriver(revenue), ...nothing }
  }

  const depreciation = lines.present('depreciation', 'amortization')
  const ownerLine = addBacks.says_owner_pay ? [] : lines.present('owner_compensation')
  if (ownerLine.length)
    assumptions.sde = [
      `The owner compensation of ${key} is the pay of one owner; no adjustment says otherwise.`,
    ]
  else if (addBacks.owners === 0 && !new Decimal(period.income?.owner_compensation ?? 0).isZero())
    assumptions.sde = [
      `Of the owner compensation of ${key}, SDE adds back only what the adjustments of that line say.`,
    ]
  const sde =
    addBacks.owners > 1
      ? null
      : calc.add(
          named('sde'),
          reported,
          ...depreciation,
          ...ownerLine,
          ...addBacks.owner_gross,
          ...addBacks.operating,
        )
  const ebitda = calc.add(
    named('ebitda'),
    reported,
    ...depreciation,
    ...addBacks.owner_net,
    ...addBacks.operating,
  )
  const other = otherIncome(context, period)
  if (other.length) assumptions.sde = [...(assumptions.sde ?? []), ...other]
  const ofEbitda = [...addBacks.assumptions.ebitda, ...other]
  if (ofEbitda.length) assumptions.ebitda = ofEbitda
  const ebit = calc.add(
    named('ebit'),
    reported,
    ...addBacks.owner_net,
    ...addBacks.operating,
    ...addBacks.depreciation,
  )
  const net_cash_flow = netCashFlow(context, named('net_cash_flow'), lines, { ebit, addBacks, depreciation })
  if (net_cash_flow) {
    const absent = (['capital_expenditure', 'change_in_working_capital'] as const).filter(
      name => !lines.figure(name),
    )
    assumptions.net_cash_flow = [
      ...absent.map(name => `${labelOf(name)} of ${key} is not given and counts as 0.`),
      ...(lines.figure('capital_expenditure')?.value.lessThan(0)
        ? [`Capital expenditure of ${key} is below 0, so it counts as money that came in.`]
        : []),
      ...(ebit.value.isNegative() && !lines.figure('tax_rate')?.value.isZero()
        ? [`The loss of ${key} before interest and taxes saves taxes at the rate of tax.`]
        : []),
      ...ofEbitda,
    ]
  }

  return {
    key,
    start: period.start,
    end: period.end,
    revenue: revenue && asDriver(revenue),
    sde: sde && asDriver(sde),
    ebitda: asDriver(ebitda),
    ebit,
    net_cash_flow: net_cash_flow && asDriver(net_cash_flow),
    assumptions,
  }
}

/** What it means that other income, such as interest on cash that the bridge adds too, is part of the earnings. */
function otherIncome({ document }: EngineContext, { key, income }: Period): string[] {
  const isAdjusted = (document.inputs.adjustments ?? []).some(
    ({ period, line }) => period === key && line === 'other_income',
  )
  if (income?.ebit !== undefined || isAdjusted || new Decimal(income?.other_income ?? 0).isZero()) return []
  return [
    `Other income of ${key} is that of the operations and stays in the earnings, since no adjustment takes it off.`,
  ]
}

function reportedEbit(
  { calc, document }: EngineContext,
  { key }: Period,
  lines: StatementLines,
): CalculationNode | null {
  const given = lines.figure('ebit')
  if (given) return given
  const netIncome = lines.figure('net_income')
  if (!netIncome) return null
  return calc.add(
    {
      id: `period.${key}.reported_ebit`,
      label: `EBIT of ${key} as reported`,
      unit: document.currency,
    },
    netIncome,
    ...lines.present('interest_expense', 'taxes'),
  )
}

function netCashFlow(
  { calc, document }: EngineContext,
  named: { id: string; label: string; unit: string },
  lines: StatementLines,
  parts: { ebit: CalculationNode; addBacks: AddBacks; depreciation: readonly CalculationNode[] },
): CalculationNode | null {
  const rate = lines.figure('tax_rate')
  if (!rate) return null
  const unit = document.currency
  const period = named.id.slice(0, named.id.lastIndexOf('.'))
  const taxes = calc.multiply(
    { id: `${period}.taxes_on_ebit`, label: 'Taxes on adjusted EBIT', unit },
    parts.ebit,
    rate,
  )
  const before = calc.add(
    { id: `${period}.ebit_before_depreciation`, label: 'Adjusted EBIT before depreciation', unit },
    parts.ebit,
    ...parts.depreciation,
  )
  return calc.subtract(
    named,
    before,
    taxes,
    ...parts.addBacks.depreciation,
    ...lines.present('capital_expenditure', 'change_in_working_capital'),
  )
}
