/** Random choices determined by a seed. */
export interface Random {
  /** True with this probability. */
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
  /** The same for a list that may be empty. */
  maybe<T>(from: readonly T[]): T | undefined
}

/** The generator mulberry32: 32 bits of state, enough for tests. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const maybe = <T>(from: readonly T[]): T | undefined => from[Math.floor(next() * from.length)]
  return { chance: probability => next() < probability, pick: from => maybe(from) as never, maybe }
}
