import { amountText, Decimal, decimal, moneyOf } from '../decimal.ts'
import type { Check, EngineContext, Normalized } from '../engine.ts'
import { checkOf } from './statement-checks.ts'
import type { Adjustment, Period } from './statement-lines.ts'

/** A line after adjustments: an amount that is added back makes income larger and a cost smaller. */
function adjustedLine(line: Adjustment['line'], reported: Decimal, added: Decimal): Decimal {
  const grows = line === 'revenue' || line === 'other_income' || line === 'net_income'
  return grows ? reported.plus(added) : reported.minus(added)
}

/**
 * The adjustments of all periods as a report lists them, those of the oldest period first. `adjusted` is the line after this
 * adjustment and the earlier ones of the same line.
 */
export function normalisationOf(
  { document }: EngineContext,
  periods: readonly Period[],
): Normalized['normalisation'] {
  const { currency, inputs } = document
  const order = new Map(periods.map(({ key }, at) => [key, at]))
  const adjustments = [...(inputs.adjustments ?? [])].sort(
    (adjustment, other) => (order.get(adjustment.period) ?? 0) - (order.get(other.period) ?? 0),
  )
  const sums = new Map<string, Decimal>()
  return adjustments.map(({ key, line, period, kind, amount, evidence_id, note }) => {
    const text = periods[order.get(period) ?? -1]?.income?.[line]
    const reported = text === undefined ? null : decimal(text)
    const place = `${period} ${line}`
    const sum = (sums.get(place) ?? new Decimal(0)).plus(amount)
    sums.set(place, sum)
    return {
      key,
      line,
      period,
      reported: reported && moneyOf(reported, currency),
      adjustment: { amount: amountText(decimal(amount)), currency },
      adjusted: reported && moneyOf(adjustedLine(line, reported, sum), currency),
      kind,
      evidence_id: evidence_id ?? null,
      note: note ?? null,
    }
  })
}

/** A check for each line of a period from which adjustments take more than it has, such as more pay than the owner got. */
export function adjustmentChecks({ key, income }: Period, adjustments: readonly Adjustment[]): Check[] {
  const lines = new Set(adjustments.filter(({ period }) => period === key).map(({ line }) => line))
  return [...lines].flatMap(line => {
    const reported = line === 'net_income' || !income?.[line] ? null : decimal(income[line])
    if (!reported || reported.isNegative()) return []
    const added = adjustments
      .filter(adjustment => adjustment.period === key && adjustment.line === line)
      .reduce((sum, { amount }) => sum.plus(amount), new Decimal(0))
    const adjusted = adjustedLine(line, reported, added)
    return adjusted.isNegative() ? checkOf('adjusted_line_is_negative', key, reported, adjusted) : []
  })
}
