import { Decimal } from '../decimal.ts'

/**
 * The range of the conclusion. It covers the values of the used methods and the middle 80 percent of the Monte Carlo draws, and
 * always the point.
 */
export function rangeAround(
  point: Decimal,
  values: readonly Decimal[],
  draws: { p10: Decimal; p90: Decimal } | null,
): { low: Decimal; high: Decimal } {
  const all = [point, ...values, ...(draws ? [draws.p10, draws.p90] : [])]
  return { low: Decimal.min(...all), high: Decimal.max(...all) }
}
