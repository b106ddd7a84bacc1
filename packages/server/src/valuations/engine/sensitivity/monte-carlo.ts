import type { SensitivityResult } from '@wbs/contract/valuations/result'
import { Decimal, moneyOf } from '../decimal.ts'
import type { Compiled } from './compiled.ts'
import { type Random, randomFrom, triangular } from './random.ts'
import { inCents, type Moved } from './tornado.ts'

/** What many draws of the drivers gave. */
export interface MonteCarlo {
  result: SensitivityResult['monte_carlo']
  p10: Decimal
  p90: Decimal
}

const draws = 1000

/** How many draws are computed at once: their table stays in the cache of the processor. */
const columns = 200

/** How many draws that cannot be computed are drawn again. */
const redraws = 1000

/**
 * The conclusion for 1,000 draws of all drivers, each from the triangular distribution of its low, base and high value,
 * independently. A draw that the calculation cannot compute with is drawn again. Null without drivers, and if too few draws can
 * be computed.
 */
export function monteCarlo(
  { computing }: Compiled,
  moved: readonly Moved[],
  seed: number,
  currency: string,
): MonteCarlo | null {
  const drivers = moved.filter(({ swing }) => !swing.isZero())
  if (drivers.length === 0) return null
  const random = randomFrom(seed)
  const base = drivers.map(({ driver }) => driver.base.toNumber())
  const lows = Float64Array.from(drivers, ({ low }, at) => low.toNumber() - (base[at] as number))
  const highs = Float64Array.from(drivers, ({ high }, at) => high.toNumber() - (base[at] as number))
  const compute = computing(
    drivers.map(({ driver }) => driver),
    columns,
  )
  const values = new Float64Array(draws)
  let count = 0
  for (let left = draws + redraws; count < draws && left > 0;) {
    const width = Math.min(columns, draws - count, left)
    left -= width
    for (const value of compute(drawn(random, lows, highs, width)))
      if (!Number.isNaN(value)) values[count++] = value
  }
  if (count < draws) return null
  values.sort()
  const money = (value: number) => moneyOf(inCents(value), currency)
  const mean = values.reduce((sum, value) => sum + value, 0) / draws
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0)
  return {
    result: {
      draws,
      p5: money(quantile(values, 5)),
      p25: money(quantile(values, 25)),
      p50: money(quantile(values, 50)),
      p75: money(quantile(values, 75)),
      p95: money(quantile(values, 95)),
      mean: money(mean),
      standard_deviation: money(Math.sqrt(squares / (draws - 1))),
      distribution:
        drivers.length === 1
          ? 'The driver is drawn from the triangular distribution of its low, base and high value (xoshiro128**).'
          : `Each of ${drivers.length} drivers is drawn independently from the triangular distribution of its low, base and high value (xoshiro128**).`,
    },
    p10: inCents(quantile(values, 10)),
    p90: inCents(quantile(values, 90)),
  }
}

/** For each driver as many draws. The random numbers go to one draw of all drivers after the other. */
function drawn(random: Random, lows: Float64Array, highs: Float64Array, width: number): Float64Array[] {
  const shifts = Array.from(lows, () => new Float64Array(width))
  for (let n = 0; n < width; n++)
    for (let at = 0; at < shifts.length; at++)
      (shifts[at] as Float64Array)[n] = triangular(random, lows[at] as number, 0, highs[at] as number)
  return shifts
}

/**
 * A quantile of sorted values, interpolated between neighbours: type 7 of Hyndman, R. J., Fan, Y., "Sample Quantiles in
 * Statistical Packages", The American Statistician 50(4), 1996.
 */
export function quantile(sorted: readonly number[] | Float64Array, percent: number): number {
  const position = ((sorted.length - 1) * percent) / 100
  const below = Math.floor(position)
  const [low = 0, high = low] = sorted.slice(below, below + 2)
  return low + (high - low) * (position - below)
}
