import type { FastifyRequest } from 'fastify'
import { invalid, Problem } from '../../call/problem.ts'
import { truncatedBody } from '../answers/problem-json.ts'

/** How fast a body must arrive: so many bytes in so much time that the service waits for them. */
export interface ArrivalRate {
  bytes: number
  milliseconds: number
}

/** A line slower than this would hold a transfer for hours. */
export const leastRate: ArrivalRate = { bytes: 30 * 1024, milliseconds: 30_000 }

/** How much of a body is in memory before the connection is paused. */
const mostInMemory = 256 * 1024

/** The client sends its body too slowly. */
class TooSlow extends Problem<'validation_error'> {
  constructor() {
    const { message, members } = invalid([
      { in: 'body', pointer: '', code: 'required', detail: 'The body was not received in time.' },
    ])
    super('validation_error', message, members)
  }

  override get status(): number {
    return 408
  }
}

/**
 * The chunks of a body as they arrive. The connection is paused while they are not taken. Throws validation_error if the
 * client disconnects and TooSlow if it sends too slowly. If the chunks are not all taken, the rest is discarded.
 */
export async function* receiveBody(
  { raw, lifetime }: FastifyRequest,
  rate: ArrivalRate,
): AsyncGenerator<Buffer, void, undefined> {
  const arrived: Buffer[] = []
  let inMemory = 0
  let ended = false
  let gone = false
  let wake: (() => void) | undefined
  const onData = (chunk: Buffer) => {
    arrived.push(chunk)
    inMemory += chunk.length
    sinceLastCheck += chunk.length
    if (inMemory >= mostInMemory) raw.pause()
    wake?.()
  }
  const onEnd = () => {
    ended = true
    wake?.()
  }
  const onGone = () => {
    gone = !ended
    wake?.()
  }
  let waited = 0
  let sinceLastCheck = 0

  /** Waits for the next event. Throws TooSlow. */
  async function more(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    wake = resolve
    const start = performance.now()
    const timer = setTimeout(() => reject(new TooSlow()), rate.milliseconds - waited)
    await promise.finally(() => clearTimeout(timer))
    waited += performance.now() - start
    if (sinceLastCheck < rate.bytes) return
    waited = 0
    sinceLastCheck = 0
  }

  raw.on('data', onData).on('end', onEnd).on('error', onGone)
  lifetime.onEnd(onGone)
  try {
    for (;;) {
      if (gone) throw truncatedBody()
      const chunk = arrived.shift()
      if (chunk) {
        inMemory -= chunk.length
        yield chunk
        if (inMemory < mostInMemory && raw.isPaused()) raw.resume()
      } else if (ended) return
      else await more()
    }
  } finally {
    raw.off('data', onData).off('end', onEnd).off('error', onGone)
    raw.resume()
  }
}
