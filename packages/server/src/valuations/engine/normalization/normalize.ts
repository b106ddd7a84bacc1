import type { CalculationNode } from '../calculation/node.ts'
import { moneyOf } from '../decimal.ts'
import type { EngineContext, Normalized } from '../engine.ts'
import { addBacksOf } from './add-backs.ts'
import { adjustmentChecks, normalisationOf } from './adjusted-lines.ts'
import { periodEarnings } from './period-earnings.ts'
import { withStatedFigures } from './stated-figures.ts'
import { statementChecks } from './statement-checks.ts'

/** The statements of a document, normalized: the figures of each period, the adjustments, and what does not add up. */
export function normalize(context: EngineContext): Normalized {
  const { document } = context
  const money = (node: CalculationNode | null) => node && moneyOf(node.value, document.currency)
  const given = [...(document.inputs.periods ?? [])].sort(
    (period, other) => period.end.localeCompare(other.end) || period.start.localeCompare(other.start),
  )
  const normalized: Normalized = {
    periods: [],
    normalisation: normalisationOf(context, given),
    earnings: [],
    checks: [],
  }
  const periods: Normalized['periods'][number][] = []
  for (const statement of given) {
    const computed = periodEarnings(context, statement, addBacksOf(context, statement.key))
    const { period, checks, is_stated } = withStatedFigures(context, statement, computed)
    periods.push(period)
    normalized.checks.push(
      ...statementChecks(statement),
      ...adjustmentChecks(statement, document.inputs.adjustments ?? []),
      ...checks,
    )
    normalized.earnings.push({
      period: period.key,
      revenue: money(period.revenue),
      sde: money(period.sde),
      ebitda: money(period.ebitda),
      ebit: money(period.ebit),
      net_cash_flow: money(period.net_cash_flow),
      is_stated,
    })
  }
  return { ...normalized, periods }
}
