import type { BenchmarkRow } from '@wbs/contract/valuations/benchmark-sets'
import { Decimal, decimal } from '../decimal.ts'

interface Band {
  row: BenchmarkRow
  /** US dollars, included. */
  start: Decimal
  /** US dollars, excluded; null: without an end. */
  end: Decimal | null
}

const bandOf = (row: BenchmarkRow): Band[] => {
  if (!row.size_band) return []
  const [start, end] = row.size_band.split('-')
  return [{ row, start: decimal(start ?? '0'), end: end ? decimal(end) : null }]
}

/** How many times the price is too large or too small for the band; 1 if it lies in it. */
function distance({ start, end }: Band, price: Decimal): Decimal {
  if (price.lessThan(start)) return start.dividedBy(price)
  if (end && price.greaterThanOrEqualTo(end)) return price.dividedBy(end)
  return new Decimal(1)
}

/**
 * The row whose band of prices contains basis × its own multiple. The price of the deal is not known beforehand, so a band
 * fits if it contains the price that its multiple gives. If several fit, the lowest band counts, which is the cautious choice.
 * If none fits, as between two bands whose multiples are far apart, it is the one whose price misses it least.
 * `basis`: in US dollars, above 0. Null without a row that has a band.
 */
export function rowOfSize(rows: readonly BenchmarkRow[], basis: Decimal): BenchmarkRow | null {
  const bands = rows
    .flatMap(bandOf)
    .map(band => ({ ...band, misses: distance(band, basis.times(band.row.p50)) }))
    .sort(
      (first, other) =>
        first.misses.comparedTo(other.misses) ||
        first.start.comparedTo(other.start) ||
        (first.end && other.end ? first.end.comparedTo(other.end) : Number(!first.end) - Number(!other.end)),
    )
  const [first] = bands
  if (!first) return null
  // In a gap there may be a fitting band at exactly 1 too: a price at the excluded end misses by a factor of 1.
  const fits = bands.find(band => contains(band, basis.times(band.row.p50)))
  return (fits ?? first).row
}

const contains = ({ start, end }: Band, price: Decimal): boolean =>
  price.greaterThanOrEqualTo(start) && (!end || price.lessThan(end))
