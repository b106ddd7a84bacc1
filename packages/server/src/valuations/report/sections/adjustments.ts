import type { ReportBar, ReportSection } from '@wbs/contract/valuations/reading'
import type { ValuationResult } from '@wbs/contract/valuations/result'
import { Decimal, decimal } from '../../engine/decimal.ts'
import type { ReportSubject } from '../subject.ts'
import { amountIn, dayText, none, percentText } from '../words/figures.ts'
import { headingOf, labelOf } from '../words/labels.ts'
import { shownLine } from '../words/shown-text.ts'
import { chart, section, table, text, type MaybeBlock } from './blocks.ts'

type Step = ValuationResult['adjustments'][number]

/** The steps that concern assets and debts outside the operations. */
const nonOperating: readonly string[] = [
  'cash',
  'interest_bearing_debt',
  'non_operating_assets',
  'working_capital',
]

export function valuationAdjustments(subject: ReportSubject): ReportSection {
  const { result } = subject
  const steps = result.adjustments.filter(({ code }) => !nonOperating.includes(code))
  return section(
    'adjustments',
    'Valuation adjustments',
    steps.length === 0
      ? text(
          null,
          'No discount or premium applies: the base level of each method is the level of the conclusion.',
        )
      : text(
          null,
          'A discount applies only where the level that a method indicates and the level of the conclusion differ. Discounts are applied one after the other: first that for lack of control, then that for lack of marketability.',
        ),
    tableOf(subject, steps),
    ...result.approaches.flatMap(({ methods }) => methods.map(method => waterfall(subject, method))),
  )
}

export function nonOperatingAssets(subject: ReportSubject): ReportSection {
  const steps = subject.result.adjustments.filter(({ code }) => nonOperating.includes(code))
  return section(
    'non_operating_assets',
    'Non-operating assets and liabilities, and excess or deficient operating assets',
    steps.length === 0 ? text(null, 'None were stated.') : null,
    tableOf(subject, steps),
  )
}

const tableOf = ({ document }: ReportSubject, steps: readonly Step[]): MaybeBlock =>
  table(
    null,
    ['Adjustment', 'Method', 'Applied', 'Rate', `Amount (${document.currency})`, 'Reason', 'Source'],
    steps.map(({ code, method, applied, rate, amount, reason, source, as_of }) => [
      headingOf(code),
      method ? labelOf(method) : 'all',
      applied ? 'yes' : 'no',
      percentText(rate),
      amountIn(amount),
      shownLine(reason),
      [
        source ? shownLine(source).replace(/\.$/, '') : none,
        ...(as_of ? [dayText(shownLine(as_of))] : []),
      ].join(', '),
    ]),
  )

type Method = ValuationResult['approaches'][number]['methods'][number]

/**
 * The way from the value that a method indicates to the value that it concludes. Null where nothing lies between the two,
 * or where the steps do not add up to the difference, so that no chart shows what the calculation does not.
 */
function waterfall({ result, document }: ReportSubject, method: Method): MaybeBlock {
  const { indicated, concluded, used } = method
  if (!used || !indicated || !concluded) return null
  const steps = result.adjustments.flatMap(({ code, method: of, applied, amount }) =>
    applied && amount && (of === null || of === method.method) && !decimal(amount.amount).isZero()
      ? [{ label: headingOf(code), amount: decimal(amount.amount) }]
      : [],
  )
  const total = steps.reduce((sum, { amount }) => sum.plus(amount), decimal(indicated.amount))
  const tolerance = decimal('0.01').times(steps.length)
  if (steps.length === 0 || total.minus(concluded.amount).abs().greaterThan(tolerance)) return null
  let running = decimal(indicated.amount)
  const bars = steps.map(({ label, amount }): ReportBar => {
    const before = running
    running = running.plus(amount)
    return {
      label,
      group: amount.isNegative() ? 'fall' : 'rise',
      low: Decimal.min(before, running).toFixed(2),
      point: amount.toFixed(2),
      high: Decimal.max(before, running).toFixed(2),
    }
  })
  const totals = [indicated, concluded].map(({ amount }, at): ReportBar => ({
    label: at === 0 ? 'Indicated value' : 'Value of the interest',
    group: 'total',
    low: Decimal.min(0, amount).toFixed(2),
    point: amount,
    high: Decimal.max(0, amount).toFixed(2),
  }))
  const all = [totals[0] as ReportBar, ...bars, totals[1] as ReportBar]
  return chart(
    `From the indicated value to the value of the interest: ${labelOf(method.method)}`,
    'waterfall',
    all,
    ['Step', `Amount (${document.currency})`],
    all.map(({ label, point }) => [label, amountIn({ amount: point ?? '0', currency: document.currency })]),
  )
}
