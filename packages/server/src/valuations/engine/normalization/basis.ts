import type { ValuationMethod } from '@wbs/contract/valuations/methods'
import type { CalculationNode } from '../calculation/node.ts'
import { type EngineContext, InvalidDocument, type Normalized, type NormalizedPeriod } from '../engine.ts'
import { figureNames, type FigureName } from './period-earnings.ts'
import { assumptionOfAge, assumptionOfLength } from './period-length.ts'

/** The figure that a method applies to. */
export interface Basis {
  node: CalculationNode
  /** The key of the period, or `weighted`. */
  period: string
  assumptions: string[]
}

/**
 * The figure that a method applies to: that of the period it names, of the last period by default, or the weighted average of
 * several. `reason`: why there is none. Throws InvalidDocument if the method names a period that does not exist. `at` is the
 * pointer of the method.
 */
export function basisOf(
  context: EngineContext,
  normalized: Normalized,
  method: ValuationMethod,
  metric: FigureName,
  at = `/methods/${(context.document.methods ?? []).indexOf(method)}`,
): Basis | { reason: string } {
  if (method.period === 'weighted') return weightedBasis(context, normalized, method, metric, at)
  const period = method.period
    ? periodNamed(normalized, method.period, `${at}/period`)
    : normalized.periods.at(-1)
  if (!period) return { reason: `There are no statements that give ${figureNames[metric]}.` }
  const node = period[metric]
  return node
    ? {
        node,
        period: period.key,
        assumptions: [
          ...assumptionsOf(period, metric),
          ...assumptionOfAge(period, context.document.valuation_date),
        ],
      }
    : { reason: absent(period, metric) }
}

const earnings = 'income.net_income or income.ebit'

/** The figures of a statement from which each figure follows. */
const needs: Record<FigureName, string> = {
  revenue: 'income.revenue',
  sde: earnings,
  ebitda: earnings,
  ebit: earnings,
  net_cash_flow: `income.tax_rate, and ${earnings}`,
}

const absent = ({ key }: NormalizedPeriod, metric: FigureName) =>
  `The statements of period ${key} do not give ${figureNames[metric]}. It needs ${needs[metric]}.`

const assumptionsOf = (period: NormalizedPeriod, metric: FigureName): string[] => [
  ...assumptionOfLength(period),
  ...(metric === 'revenue' ? [] : (period.assumptions[metric] ?? [])),
]

function periodNamed({ periods }: Normalized, key: string, pointer: string): NormalizedPeriod {
  const period = periods.find(period => period.key === key)
  if (period) return period
  throw new InvalidDocument({
    pointer,
    code: 'unknown',
    detail: 'Name the key of a period of inputs.periods.',
  })
}

function weightedBasis(
  { calc, document }: EngineContext,
  normalized: Normalized,
  method: ValuationMethod,
  metric: FigureName,
  at: string,
): Basis | { reason: string } {
  const unit = document.currency
  const id = `${method.method}.basis`
  const weighted: CalculationNode[] = []
  const assumptions: string[] = []
  const used: NormalizedPeriod[] = []
  for (const key of Object.keys(method.period_weights ?? {}).sort()) {
    const period = periodNamed(normalized, key, `${at}/period_weights/${key}`)
    const node = period[metric]
    if (!node) return { reason: absent(period, metric) }
    const weight = calc.input(
      { id: `${id}.weight.${key}`, label: `Weight of ${key}`, unit: 'ratio' },
      method.period_weights?.[key] ?? '0',
    )
    weighted.push(calc.multiply({ id: `${id}.${key}`, label: `${node.label}, weighted`, unit }, node, weight))
    assumptions.push(...assumptionsOf(period, metric))
    if (!weight.value.isZero()) used.push(period)
  }
  if (!weighted.length)
    throw new InvalidDocument({
      pointer: `${at}/period_weights`,
      code: 'required',
      detail: 'Give the weight of each period; the weights must add up to 1.',
    })
  const node = calc.add({ id, label: `Weighted ${figureNames[metric]}`, unit }, ...weighted)
  const newest = used.reduce((latest, other) => (other.end > latest.end ? other : latest))
  assumptions.push(...assumptionOfAge(newest, document.valuation_date))
  return { node, period: 'weighted', assumptions }
}
