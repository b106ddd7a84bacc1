import { setTimeout as sleep } from 'node:timers/promises'

/** Polls for up to four minutes until a condition holds, and gives its value. For effects that follow an answer. */
export async function eventually<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const end = performance.now() + 240_000
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (performance.now() > end) throw new Error(`Timed out waiting for ${look.toString()}`)
    await sleep(10)
  }
}
