import { setTimeout as sleep } from 'node:timers/promises'

/** Waits, up to 20 seconds, until something is so; gives it. For what the service does after it has answered. */
export async function eventually<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const end = performance.now() + 20_000
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (performance.now() > end) throw new Error(`It never came to be that ${look.toString()}`)
    await sleep(10)
  }
}
