import { unlessAborted } from '../../pauses.ts'
import type { Part } from './read-parts.ts'

/** Sends parts, `concurrency` of them at a time. After the first failure it ends the others, and throws it. */
export async function sendParts(
  parts: AsyncGenerator<Part, void, undefined>,
  concurrency: number,
  send: (part: Part, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const failed = new AbortController()
  const either = failed.signal
  const abort = () => failed.abort(signal?.reason)
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()

  async function work(): Promise<void> {
    try {
      for (;;) {
        const next = await unlessAborted(parts.next(), either)
        if (next.done === true) return
        await send(next.value, either)
      }
    } catch (error) {
      failed.abort(error)
    }
  }

  await Promise.all(Array.from({ length: concurrency }, work))
  signal?.removeEventListener('abort', abort)
  either.throwIfAborted()
}
