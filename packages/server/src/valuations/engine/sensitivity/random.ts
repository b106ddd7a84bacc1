/** Gives numbers from 0 (included) to 1 (not included), with 53 random bits each. */
export type Random = () => number

/**
 * Random numbers that follow from a seed, with integer arithmetic alone, so that a seed gives the same numbers on every machine:
 * xoshiro128**, whose state comes from the seed by SplitMix64, as its authors recommend.
 * `seed`: an integer from 0 to 2⁵³ − 1.
 */
export function randomFrom(seed: number): Random {
  const next = splitMix64(BigInt(seed))
  const [low, high] = [next(), next()]
  const draw = xoshiro128([low, low >> 32n, high, high >> 32n].map(part => Number(BigInt.asUintN(32, part))))
  return () => ((draw() >>> 5) * 0x4000000 + (draw() >>> 6)) / 0x20000000000000
}

/**
 * The generator xoshiro128**: integers from 0 to 2³² − 1. `state`: four such integers, not all 0.
 * Source: Blackman, D., Vigna, S., "Scrambled Linear Pseudorandom Number Generators", ACM Transactions on Mathematical Software
 * 47(4), 2021.
 */
export function xoshiro128(state: readonly number[]): () => number {
  let [a = 0, b = 0, c = 0, d = 0] = state
  return () => {
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotated(d, 11)
    return result
  }
}

const rotated = (x: number, by: number) => (x << by) | (x >>> (32 - by))

/**
 * The generator SplitMix64: integers from 0 to 2⁶⁴ − 1.
 * Source: Steele, G. L., Lea, D., Flood, C. H., "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
 */
export function splitMix64(seed: bigint): () => bigint {
  let state = seed
  const wrapped = (x: bigint) => BigInt.asUintN(64, x)
  return () => {
    state = wrapped(state + 0x9e3779b97f4a7c15n)
    let z = state
    z = wrapped((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n)
    z = wrapped((z ^ (z >> 27n)) * 0x94d049bb133111ebn)
    return z ^ (z >> 31n)
  }
}

/** A value from the triangular distribution, by the inverse of its distribution function. */
export function triangular(random: Random, low: number, mode: number, high: number): number {
  const width = high - low
  const u = random()
  if (!(width > 0)) return mode
  return u * width < mode - low
    ? low + Math.sqrt(u * width * (mode - low))
    : high - Math.sqrt((1 - u) * width * (high - mode))
}
