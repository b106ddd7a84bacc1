/**
 * Functions of numbers that need only + − × ÷ and the square root, which IEEE 754 rounds in one way on every machine. What
 * Math.exp, Math.log and Math.pow give may differ in the last digit from one version of the runtime to another.
 */

/** ln 2 in two parts: k × the first is exact for every k that occurs. */
const ln2High = 0.6931471803691238
const ln2Low = 1.9082149292705877e-10

/** 1 ÷ n! for n from 16 down to 0: the next term of e to the power of r is below 10⁻²², since |r| is at most ln 2 ÷ 2. */
const termsOfExp = Float64Array.from({ length: 17 }, (_, at) => {
  let reciprocal = 1
  for (let n = 2; n <= 16 - at; n++) reciprocal /= n
  return reciprocal
})

/** e to the power of x: x = k × ln 2 + r, and the Taylor series of e to the power of r. */
export function exp(x: number): number {
  if (!(x > -745)) return x === x ? 0 : NaN
  if (x > 709) return Infinity
  const k = Math.round(x / Math.LN2)
  const r = x - k * ln2High - k * ln2Low
  let sum = 0
  for (let n = 0; n < termsOfExp.length; n++) sum = sum * r + (termsOfExp[n] as number)
  return sum * wholePower(2, k)
}

/** 1 ÷ n for odd n from 25 down to 1: the next term of ln m is below 10⁻²², since t² is below 0.03. */
const termsOfLn = Float64Array.from({ length: 13 }, (_, at) => 1 / (25 - 2 * at))

/** The natural logarithm: x = m × 2ᵏ, and ln m = 2 × (t + t³ ÷ 3 + t⁵ ÷ 5 + …), where t = (m − 1) ÷ (m + 1). */
export function ln(x: number): number {
  if (!(x > 0) || x === Infinity) return NaN
  let m = x
  let k = 0
  for (; m > Math.SQRT2; k++) m *= 0.5
  for (; m < Math.SQRT1_2; k--) m *= 2
  const t = (m - 1) / (m + 1)
  const square = t * t
  let sum = 0
  for (let n = 0; n < termsOfLn.length; n++) sum = sum * square + (termsOfLn[n] as number)
  return 2 * t * sum + k * ln2Low + k * ln2High
}

const rootOfTwoPi = 2.5066282746310002

/** The cumulative standard normal distribution, by the series of Marsaglia (2004), as in exact arithmetic. */
export function normalCdf(x: number): number {
  if (x > 8) return 1
  if (x < -8) return 0
  const square = x * x
  let term = x
  let sum = x
  for (let k = 3; Math.abs(term) > 1e-18 * Math.abs(sum); k += 2) {
    term = (term * square) / k
    sum += term
  }
  return 0.5 + (sum * exp(-square / 2)) / rootOfTwoPi
}

/** x to the power of y: whole and half exponents by multiplication and the square root, others by ln and exp. */
export function power(x: number, y: number): number {
  const doubled = y * 2
  if (Math.abs(doubled) > 2048 || Math.floor(doubled) !== doubled) return x > 0 ? exp(y * ln(x)) : NaN
  const whole = Math.floor(y)
  return whole === y ? wholePower(x, whole) : wholePower(x, whole) * Math.sqrt(x)
}

/** `n`: an integer from −1,100 to 1,100. */
function wholePower(x: number, n: number): number {
  let result = 1
  let square = n < 0 ? 1 / x : x
  for (let left = Math.abs(n) | 0; left > 0; left >>= 1) {
    if ((left & 1) === 1) result *= square
    square *= square
  }
  return result
}

/** The middle value, or the mean of the two middle values. */
export function median(values: number[]): number {
  const sorted = values.sort((value, other) => value - other)
  const upper = sorted[sorted.length >> 1] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[(sorted.length >> 1) - 1] as number) + upper) / 2
}
