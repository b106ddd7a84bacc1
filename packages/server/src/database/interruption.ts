import { setTimeout as sleep } from 'node:timers/promises'

/** A start was broken off by a signal, as somebody wished. */
export class Interrupted extends Error {
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`)
    this.signal = signal
  }
}

/**
 * Runs steps one after the other until a signal comes: the step under way is then no longer waited for, and no other is
 * begun. Throws the signal's reason.
 */
export interface InterruptibleSteps {
  run<T>(step: () => Promise<T>): Promise<T>
  /** Waits a while until steps that were left behind have ended. They fail once what they work on is gone. */
  settle(): Promise<void>
}

const patienceMilliseconds = 2_000

export function interruptibleSteps(signal: AbortSignal): InterruptibleSteps {
  let last: Promise<unknown> = Promise.resolve()
  return {
    async run(step) {
      signal.throwIfAborted()
      const running = step()
      last = running.catch(() => undefined)
      const aborted = Promise.withResolvers<never>()
      const abort = () => aborted.reject(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      try {
        return await Promise.race([running, aborted.promise])
      } finally {
        signal.removeEventListener('abort', abort)
      }
    },
    async settle() {
      await Promise.race([last, sleep(patienceMilliseconds, undefined, { ref: false })])
    },
  }
}
