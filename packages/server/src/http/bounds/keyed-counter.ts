/** Gives back what was taken. Calling it again does nothing. */
export type Release = () => void

/** Counts usage per key. A key at zero is forgotten. */
export interface KeyedCounter {
  total(): number
  of(whose: string): number
  add(whose: string, amount?: number): Release
}

export function createKeyedCounter(): KeyedCounter {
  const held = new Map<string, number>()
  let total = 0

  function change(whose: string, by: number): void {
    total += by
    const now = (held.get(whose) ?? 0) + by
    if (now === 0) held.delete(whose)
    else held.set(whose, now)
  }

  return {
    total: () => total,
    of: whose => held.get(whose) ?? 0,
    add(whose, amount = 1) {
      change(whose, amount)
      return once(() => change(whose, -amount))
    },
  }
}

export function once(act: () => void): Release {
  let done = false
  return () => {
    if (done) return
    done = true
    act()
  }
}
