import { setTimeout as pause } from 'node:timers/promises'

/** Asks again until the answer is not undefined, for at most a minute. */
export async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (const until = Date.now() + 60_000; ; await pause(20)) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (Date.now() > until) throw new Error('It did not happen within a minute.')
  }
}
