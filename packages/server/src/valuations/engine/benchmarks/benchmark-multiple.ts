import type { BenchmarkRow } from '@wbs/contract/valuations/benchmark-sets'
import { Decimal, decimal } from '../decimal.ts'
import { type EngineContext, Unvaluable } from '../engine.ts'
import { naicsMatch } from './naics-match.ts'
import { rowOfSize } from './size-band.ts'

type Metric = BenchmarkRow['metric']

/** A multiple of a benchmark set, and what its choice assumes. */
export interface BenchmarkMultiple {
  row: BenchmarkRow
  assumptions: string[]
}

const metricNames: Record<Metric, string> = { sde: 'SDE', ebitda: 'EBITDA', revenue: 'revenue' }

/**
 * The row of the benchmark set that fits: of the metric; not dated after the valuation date, since it was not known then; of
 * the closest industry (`naicsMatch`), else of all industries; of the size (`rowOfSize`), else of all sizes; the newest.
 * `basis`: the figure that the multiple is applied to, above 0. Throws Unvaluable if no row fits.
 */
export function benchmarkMultiple(
  { document, resolved }: EngineContext,
  metric: Metric,
  basis: Decimal,
): BenchmarkMultiple {
  const ofMetric = resolved.benchmark_set.rows.filter(row => row.metric === metric && decimal(row.p50).gt(0))
  if (!ofMetric.length)
    throw new Unvaluable(
      `The benchmark set has no multiple of ${metricNames[metric]}. Give one with the method, or name another benchmark set.`,
    )
  const known = ofMetric.filter(({ as_of }) => as_of <= document.valuation_date)
  if (!known.length)
    throw new Unvaluable(
      `The benchmark set has no multiple of ${metricNames[metric]} that was known on ${document.valuation_date}. Give one with the method, or name another benchmark set.`,
    )
  const ofIndustry = closest(known, resolved.naics_code)
  const dollars = inDollars(document, basis)
  const row = (dollars && rowOfSize(newestOfBands(ofIndustry), dollars)) ?? newest(ofAllSizes(ofIndustry))
  if (!row) throw new Unvaluable(withoutSize(metric, document.currency, ofIndustry.length > 0))
  return { row, assumptions: assumptionsOf(row, metric, document.valuation_date) }
}

/** The rows of the closest industry. */
function closest(rows: readonly BenchmarkRow[], naics_code: string | null): BenchmarkRow[] {
  const matches = rows.map(row => naicsMatch(row.naics, naics_code))
  const best = Math.max(-1, ...matches.map(match => match ?? -1))
  return rows.filter((_row, at) => matches[at] === best)
}

/** The newest comes first; then that of the most deals; then by its text, so that the order of the rows does not matter. */
const inOrder = (rows: readonly BenchmarkRow[]): BenchmarkRow[] =>
  [...rows].sort(
    (row, other) =>
      other.as_of.localeCompare(row.as_of) ||
      (other.n ?? 0) - (row.n ?? 0) ||
      (row.source < other.source ? -1 : Number(row.source > other.source)) ||
      decimal(row.p50).comparedTo(other.p50),
  )

const newest = (rows: readonly BenchmarkRow[]): BenchmarkRow | undefined => inOrder(rows)[0]
const ofAllSizes = (rows: readonly BenchmarkRow[]) => rows.filter(({ size_band }) => size_band === null)

function newestOfBands(rows: readonly BenchmarkRow[]): BenchmarkRow[] {
  const bands = new Map<string, BenchmarkRow>()
  for (const row of inOrder(rows))
    if (row.size_band !== null && !bands.has(row.size_band)) bands.set(row.size_band, row)
  return [...bands.values()]
}

/** The amount in US dollars, in which size bands are. Null if the document has no exchange rate for it. */
function inDollars({ currency, inputs }: EngineContext['document'], amount: Decimal): Decimal | null {
  if (currency === 'USD') return amount
  const rates = inputs.fx ?? []
  const direct = rates.find(({ from, to }) => from === currency && to === 'USD')
  if (direct) return amount.times(direct.rate)
  const inverse = rates.find(({ from, to }) => from === 'USD' && to === currency)
  return inverse ? amount.dividedBy(inverse.rate) : null
}

function withoutSize(metric: Metric, currency: string, banded: boolean): string {
  const name = metricNames[metric]
  return banded
    ? `The multiples of ${name} in the benchmark set are for sizes in US dollars. Add the exchange rate from ${currency} to USD to inputs.fx, or give a multiple with the method.`
    : `The benchmark set has no multiple of ${name} for this industry or for all industries. Give one with the method, or name another benchmark set.`
}

function assumptionsOf(row: BenchmarkRow, metric: Metric, valuation_date: string): string[] {
  const industry = row.naics === null ? 'all industries' : `NAICS ${row.naics}`
  const size = row.size_band === null ? 'of all sizes' : `with prices of ${row.size_band} US dollars`
  const age = Number(valuation_date.slice(0, 4)) - Number(row.as_of.slice(0, 4))
  return [
    `The multiple of ${metricNames[metric]} is that of deals in ${industry} ${size}.`,
    ...(age > 2
      ? [
          `The multiple of ${metricNames[metric]} is dated ${row.as_of}; the benchmark set has no newer one that fits.`,
        ]
      : []),
  ]
}
