import type { MethodOf } from '@wbs/contract/valuations/methods'
import type { CalculationNode } from '../calculation/node.ts'
import { Decimal } from '../decimal.ts'
import type { EngineContext, MethodFunction } from '../engine.ts'
import { basisOf } from '../normalization/basis.ts'
import { spreadAround } from '../normalization/period-earnings.ts'
import { marketOutcome, metricLabels, reasonAgainst, valuedBy } from './market-outcome.ts'

export type GuidelineTransactionsMethod = MethodOf<'guideline_transactions'>
type Transaction = GuidelineTransactionsMethod['rows'][number]

/**
 * Value = metric × the median or mean of price ÷ metric of the transactions. Source: Pratt, S., "The Market Approach to Valuing
 * Businesses", 2nd ed., 2005. Throws InvalidDocument for an unknown period.
 */
export const guidelineTransactions: MethodFunction<GuidelineTransactionsMethod> = (
  context,
  { normalized },
  method,
  at,
) => {
  const outcome = marketOutcome(method, method.metric)
  const basis = basisOf(context, normalized, method, method.metric, at)
  if ('reason' in basis) return { ...outcome, reason_rejected: basis.reason }
  const reason = reasonAgainst(basis)
  if (reason) return { ...outcome, basis: basis.node, period: basis.period, reason_rejected: reason }
  const multiples = method.rows.map((row, index) => multipleOf(context, row, index))
  const valued = valuedBy(context, outcome, basis, summarized(context, method, multiples))
  return {
    ...valued,
    sources: method.rows.map(({ name, source, closed_on }) => ({
      figure: `Transaction: ${name}`,
      source,
      as_of: closed_on,
    })),
  }
}

function multipleOf({ calc, document }: EngineContext, row: Transaction, index: number): CalculationNode {
  const id = `guideline_transactions.rows.${index}`
  const origin = { unit: document.currency, source: row.source, as_of: row.closed_on }
  const price = calc.input({ id: `${id}.price`, label: `Price of ${row.name}`, ...origin }, row.price)
  const amount = calc.input(
    { id: `${id}.metric`, label: `Metric of ${row.name}`, ...origin },
    row.metric_amount,
  )
  return calc.divide(
    { id: `${id}.multiple`, label: `Multiple of ${row.name}`, unit: 'multiple' },
    price,
    amount,
  )
}

function summarized(
  { calc }: EngineContext,
  { metric, statistic }: GuidelineTransactionsMethod,
  multiples: readonly CalculationNode[],
): CalculationNode {
  const unit = 'multiple'
  const described = {
    id: 'guideline_transactions.multiple',
    label: `${metricLabels[metric]} multiple, ${statistic} of ${multiples.length}`,
    unit,
  }
  if (statistic === 'median') return withSpread(calc.lookup(described, 'median', ...multiples), multiples)
  const sum = calc.add(
    { id: 'guideline_transactions.sum', label: 'Sum of the multiples', unit },
    ...multiples,
  )
  const count = calc.input(
    { id: 'guideline_transactions.count', label: 'Number of transactions', unit: 'ratio' },
    String(multiples.length),
  )
  return withSpread(calc.divide(described, sum, count), multiples)
}

/** From the lower to the upper quartile of the transactions, or 10 percent around the figure if that is no range around it. */
function withSpread(node: CalculationNode, multiples: readonly CalculationNode[]): CalculationNode {
  const values = multiples.map(({ value }) => value).sort((first, other) => first.comparedTo(other))
  const low = quantile(values, '0.25')
  const high = quantile(values, '0.75')
  const around = low.lessThan(node.value) && high.greaterThan(node.value)
  return Object.assign(node, around ? { spread: { low, high } } : spreadAround(node.value))
}

/**
 * The quantile of sorted values, with linear interpolation between them: definition 7 of Hyndman, R. and Fan, Y., "Sample
 * Quantiles in Statistical Packages", The American Statistician 50(4), 1996.
 */
function quantile(sorted: readonly Decimal[], share: string): Decimal {
  const place = new Decimal(sorted.length - 1).times(share)
  const below = place.floor().toNumber()
  const low = sorted[below] ?? new Decimal(0)
  const high = sorted[below + 1] ?? low
  return low.plus(high.minus(low).times(place.minus(below)))
}
