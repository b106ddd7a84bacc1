import { setTimeout as sleep } from 'node:timers/promises'

/** A signal interrupted the start. */
export class Interrupted extends Error {
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`)
    this.signal = signal
  }
}

/**
 * Runs steps in order until a signal is aborted. The current step is then not waited for, and no other begins. Throws
 * the signal's reason.
 */
export interface InterruptibleSteps {
  run<T>(step: () => Promise<T>): Promise<T>
  /** Waits up to two seconds for a step that was left running. It fails when its database is closed. */
  settle(): Promise<void>
}

const timeoutMilliseconds = 2_000

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
      await Promise.race([last, sleep(timeoutMilliseconds, undefined, { ref: false })])
    },
  }
}
