import { Decimal } from '../decimal.ts'

/** The functions of `lookup` nodes, whose values earlier practice read from tables. */
export const functions = {
  /** e to the power of x. */
  exp: ([x]: readonly Decimal[]) => Decimal.exp(given(x)),
  /** The natural logarithm. */
  ln: ([x]: readonly Decimal[]) => Decimal.ln(given(x)),
  /** The cumulative standard normal distribution N(x). */
  normal_cdf: ([x]: readonly Decimal[]) => normalCdf(given(x)),
  /** The middle value, or the mean of the two middle values. */
  median: (values: readonly Decimal[]) => median(values),
  minimum: (values: readonly Decimal[]) => Decimal.min(...values),
  maximum: (values: readonly Decimal[]) => Decimal.max(...values),
} as const

export type FunctionName = keyof typeof functions

function given(x: Decimal | undefined): Decimal {
  if (!x) throw new Error('A function was called without its argument.')
  return x
}

function median(values: readonly Decimal[]): Decimal {
  const sorted = [...values].sort((value, other) => value.comparedTo(other))
  const upper = given(sorted[sorted.length >> 1])
  return sorted.length % 2 === 1
    ? upper
    : given(sorted[(sorted.length >> 1) - 1])
        .plus(upper)
        .dividedBy(2)
}

const rootOfTwoPi = Decimal.acos(-1).times(2).sqrt()

/**
 * N(x) = 1/2 + φ(x) (x + x³/3 + x⁵/(3·5) + …), which converges for every x and loses no digits, since all terms have one
 * sign. Source: Marsaglia, G., "Evaluating the Normal Distribution", Journal of Statistical Software 11(4), 2004.
 */
function normalCdf(x: Decimal): Decimal {
  if (x.abs().greaterThan(14)) return new Decimal(x.isNegative() ? 0 : 1)
  let term = x
  let sum = x
  const square = x.times(x)
  for (let k = 3; !term.isZero() && term.abs().greaterThan('1e-40'); k += 2) {
    term = term.times(square).dividedBy(k)
    sum = sum.plus(term)
  }
  const density = Decimal.exp(square.dividedBy(-2)).dividedBy(rootOfTwoPi)
  return sum.times(density).plus('0.5')
}
