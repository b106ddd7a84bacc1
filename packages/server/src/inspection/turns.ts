/** Runs work with at most `limit` at once; the rest waits in order. `usage` says how much runs and waits now. */
export function takeTurns(limit: number) {
  let running = 0
  const waiting: (() => void)[] = []
  async function turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (running < limit) {
      running++
      return
    }
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(start), 1)
        reject(signal.reason as Error)
      }
      waiting.push(start)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
  /** The place goes to the next that waits, so that nobody who comes later is first. */
  function handOver(): void {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
  async function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await turn(signal)
    try {
      return await work()
    } finally {
      handOver()
    }
  }
  return { inTurn, usage: () => ({ running, waiting: waiting.length }) }
}
