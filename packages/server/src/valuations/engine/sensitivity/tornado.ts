import type { SensitivityResult } from '@wbs/contract/valuations/result'
import { amountText, Decimal, exactText, moneyOf, ratioText } from '../decimal.ts'
import type { Compiled, Compute, Driver } from './compiled.ts'

/** A driver with what the conclusion is at its low and its high value. */
export interface Moved {
  driver: Driver
  /** Within what the calculation can compute. */
  low: Decimal
  high: Decimal
  atLow: Decimal
  atHigh: Decimal
  swing: Decimal
}

/** The most drivers that a tornado shows. */
const mostDrivers = 40

/** How far each driver moves the conclusion by itself, the one that moves it most first. */
export function movedBy({ drivers, computing }: Compiled, point: Decimal): Moved[] {
  const moved = drivers.map((driver): Moved => {
    const compute = computing([driver], 1)
    const [low, atLow] = tried(compute, driver, driver.low)
    const [high, atHigh] = tried(compute, driver, driver.high)
    return { driver, low, high, atLow, atHigh, swing: atHigh.minus(atLow).abs() }
  })
  // The order of the calculation decides between equal ones, since sorting is stable.
  return moved.sort((first, other) => other.swing.comparedTo(first.swing)).slice(0, mostDrivers)

  /** A value that the calculation cannot compute with is moved towards the base by halves. */
  function tried(compute: Compute, driver: Driver, value: Decimal): [Decimal, Decimal] {
    let input = value
    for (let tries = 0; tries < 20; tries++) {
      const [found = NaN] = compute([Float64Array.of(input.minus(driver.base).toNumber())])
      if (!Number.isNaN(found)) return [input, inCents(found)]
      input = input.plus(driver.base).dividedBy(2)
    }
    return [driver.base, inCents(point.toNumber())]
  }
}

/** Rounded, so that the last digits of numbers, which hold 15 to 17 digits, do not show. */
export const inCents = (value: number): Decimal => new Decimal(new Decimal(value).toFixed(2))

export const tornadoOf = (moved: readonly Moved[], currency: string): SensitivityResult['tornado'] =>
  moved.map(({ driver, low, high, atLow, atHigh, swing }) => ({
    driver: driver.id,
    label: driver.label,
    base: ratioText(driver.base),
    low_input: ratioText(low),
    high_input: ratioText(high),
    low: moneyOf(atLow, currency),
    high: moneyOf(atHigh, currency),
    swing: moneyOf(swing, currency),
  }))

/** The conclusion at five values each of the two drivers that move it most. Null if there are not two. */
export function gridOf(
  { computing }: Compiled,
  [first, second]: readonly Moved[],
  point: Decimal,
): SensitivityResult['grid'] {
  if (!first || !second || second.swing.isZero()) return null
  const [xs, ys] = [fiveOf(first), fiveOf(second)]
  const compute = computing([first.driver, second.driver], xs.length)
  const shifts = (of: Moved, inputs: readonly Decimal[]) =>
    Float64Array.from(inputs, input => input.minus(of.driver.base).toNumber())
  const points = ys.map((y, row) => {
    const found = compute([
      shifts(first, xs),
      shifts(
        second,
        xs.map(() => y),
      ),
    ])
    return Array.from(found, (value, column) => {
      if (row === 2 && column === 2) return amountText(point)
      return Number.isNaN(value) ? null : amountText(inCents(value))
    })
  })
  return { x: axisOf(first, xs), y: axisOf(second, ys), points }
}

function fiveOf({ driver: { base }, low, high }: Moved): Decimal[] {
  const between = (end: Decimal) => end.plus(base).dividedBy(2)
  return [low, between(low), base, between(high), high]
}

const axisOf = ({ driver }: Moved, values: readonly Decimal[]) => ({
  driver: driver.id,
  label: driver.label,
  values: values.map(value => exactText(value.toDecimalPlaces(12))),
})
