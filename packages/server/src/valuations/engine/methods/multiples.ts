import type { MethodOf } from '@wbs/contract/valuations/methods'
import type { BenchmarkRow } from '@wbs/contract/valuations/benchmark-sets'
import { benchmarkMultiple } from '../benchmarks/benchmark-multiple.ts'
import type { CalculationNode } from '../calculation/node.ts'
import { Decimal, decimal } from '../decimal.ts'
import type { EngineContext, MethodFunction, MethodOutcome } from '../engine.ts'
import { basisOf, type Basis } from '../normalization/basis.ts'
import { spreadAround } from '../normalization/period-earnings.ts'
import { marketOutcome, metricLabels, reasonAgainst, valuedBy } from './market-outcome.ts'

export type MultipleMethod = MethodOf<'sde_multiple' | 'ebitda_multiple' | 'revenue_multiple'>

/** The metric that each method is a multiple of. */
const metricOfMultiple = {
  sde_multiple: 'sde',
  ebitda_multiple: 'ebitda',
  revenue_multiple: 'revenue',
} as const

/**
 * Value = metric × multiple. The multiple is that of the document, else the median of the benchmark set. Source: Pratt, S.,
 * "The Market Approach to Valuing Businesses", 2nd ed., 2005. Throws InvalidDocument for an unknown period, and Unvaluable if
 * the benchmark set has no fitting multiple.
 */
export const multipleMethod: MethodFunction<MultipleMethod> = (context, { normalized }, method, at) => {
  const metric = metricOfMultiple[method.method]
  const outcome = marketOutcome(method, metric)
  const basis = basisOf(context, normalized, method, metric, at)
  if ('reason' in basis) return { ...outcome, reason_rejected: basis.reason }
  const reason = reasonAgainst(basis)
  if (reason) return { ...outcome, basis: basis.node, period: basis.period, reason_rejected: reason }
  return method.multiple === undefined
    ? byBenchmark(context, outcome, basis, metric)
    : byGivenMultiple(context, outcome, basis, metric, { ...method, multiple: method.multiple })
}

type Metric = (typeof metricOfMultiple)[keyof typeof metricOfMultiple]

const described = (outcome: MethodOutcome, metric: Metric) => ({
  id: `${outcome.method}.multiple`,
  label: `${metricLabels[metric]} multiple`,
  unit: 'multiple',
})

function byGivenMultiple(
  context: EngineContext,
  outcome: MethodOutcome,
  basis: Basis,
  metric: Metric,
  { multiple, source, as_of }: { multiple: string; source?: string; as_of?: string },
): MethodOutcome {
  const origin = { source: source ?? 'Stated in the valuation without a source.', as_of: as_of ?? null }
  const node = context.calc.input(
    { ...described(outcome, metric), ...origin, ...spreadAround(decimal(multiple)) },
    multiple,
  )
  return sourced(valuedBy(context, outcome, basis, node), node, origin.source)
}

function byBenchmark(
  context: EngineContext,
  outcome: MethodOutcome,
  basis: Basis,
  metric: Metric,
): MethodOutcome {
  const { row, assumptions } = benchmarkMultiple(context, metric, basis.node.value)
  const node = context.calc.input(
    { ...described(outcome, metric), source: row.source, as_of: row.as_of, spread: spreadOf(row) },
    row.p50,
  )
  return sourced(
    valuedBy(context, { ...outcome, assumptions: [...outcome.assumptions, ...assumptions] }, basis, node),
    node,
    row.source,
  )
}

/** From the lower to the upper quartile; 10 percent where the row does not have one. */
function spreadOf({ p25, p50, p75 }: BenchmarkRow): { low: Decimal; high: Decimal } {
  const median = decimal(p50)
  return {
    low: p25 === null ? median.times('0.9') : Decimal.min(p25, median),
    high: p75 === null ? median.times('1.1') : Decimal.max(p75, median),
  }
}

const sourced = (
  outcome: MethodOutcome,
  { label, as_of }: CalculationNode,
  source: string,
): MethodOutcome => ({
  ...outcome,
  sources: [...outcome.sources, { figure: label, source, as_of: as_of ?? null }],
})
