/** Work that is done again and again until it is stopped. */
export interface Repeated {
  /** Does it at once, if it is not under way. */
  hurry(): void
  /** Stops it, and waits for what is under way. */
  stop(): Promise<void>
}

/** Repeats work with so many milliseconds between the end of one and the begin of the next. The work must not throw. */
export function repeat(work: () => Promise<void>, pause: number): Repeated {
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> | null = null
  let stopped = false

  function begin(): void {
    clearTimeout(timer)
    if (underWay || stopped) return
    underWay = work().finally(() => {
      underWay = null
      if (!stopped) timer = setTimeout(begin, pause)
    })
  }

  begin()
  return {
    hurry: begin,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await underWay
    },
  }
}
