/** Lets at most so many holders in at a time; others wait in order. */
export interface Slots {
  take(): Promise<void>
  /** Takes a slot if one is free. */
  takeNow(): boolean
  giveBack(): void
}

export function createSlots(count: number): Slots {
  let free = count
  const waiting: (() => void)[] = []
  return {
    async take() {
      if (free > 0) free--
      else await new Promise<void>(resolve => waiting.push(resolve))
    },
    takeNow() {
      if (free === 0) return false
      free--
      return true
    },
    giveBack() {
      const next = waiting.shift()
      if (next) next()
      else free++
    },
  }
}
