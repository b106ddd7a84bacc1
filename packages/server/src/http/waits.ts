import type { FastifyReply } from 'fastify'
import type { Exchange } from './exchange.ts'
import { createTally, type Release } from './tally.ts'
import { tooMany } from './too-many.ts'

/** How long a caller may have an answer wait, in milliseconds; a little more than operations let them. */
const longestWait = 31_000

/** What is known of the requests that wait. */
export interface Waits {
  /** A signal for when nobody waits for this answer any more: the client is gone, or the service stops. */
  endOf(exchange: Exchange): AbortSignal
  /** Notes that a request waits from here on. Throws rate_limited where too many of its caller's do already. */
  begin(whose: string): Release
  /** Ends all that wait, now and from now on. */
  stop(): void
  held(): number
}

/**
 * Ends what waits when the service stops: it could go on for as long as callers like. A caller may have `most` waiting at a
 * time: each holds a connection, and asks the database whenever something happens.
 */
export function createWaits(most: number): Waits {
  const waiting = createTally()
  const open = new Set<AbortController>()
  let stopped = false
  return {
    endOf(exchange) {
      const end = new AbortController()
      if (stopped) end.abort()
      open.add(end)
      exchange.onEnd(() => {
        open.delete(end)
        end.abort()
      })
      return end.signal
    },
    begin(whose) {
      if (waiting.of(whose) >= most)
        throw tooMany('waiting', `${most} requests of this caller wait already; let one end first.`)
      return waiting.add(whose)
    },
    stop() {
      stopped = true
      for (const end of open) end.abort()
    },
    held: waiting.total,
  }
}

/** Lets nothing move on a connection for as long as an answer may be waited for; Node holds the next request to the usual again. */
export const allowSilence = ({ raw }: FastifyReply, silence: number): void =>
  void raw.socket?.setTimeout(silence + longestWait)
