/** Knows which operations run. One may go on after its client has gone. */
export interface Running {
  /** The same work; it counts as running until it ends. */
  track<T>(work: Promise<T>): Promise<T>
  /** Waits until none runs. */
  ended(): Promise<void>
}

export function createRunning(): Running {
  const running = new Set<Promise<unknown>>()
  return {
    track(work) {
      running.add(work)
      const forget = () => void running.delete(work)
      work.then(forget, forget)
      return work
    },
    async ended() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}
