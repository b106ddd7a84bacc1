import type { FastifyReply } from 'fastify'
import { unavailable } from '../../call/problem.ts'
import type { RequestLifetime } from '../request-lifetime.ts'
import { createKeyedCounter, type Release } from './keyed-counter.ts'
import { tooMany } from './too-many.ts'

/** How long a caller may have an answer wait, in milliseconds; a little more than operations let them. */
const longestWait = 31_000

/** What is known of the requests that wait. */
export interface OpenStreams {
  /** A signal for when nobody waits for this answer any more: the client is gone, or the service stops. */
  signalFor(lifetime: RequestLifetime): AbortSignal
  /**
   * Notes that a request waits from here on. Throws rate_limited where too many of its caller's do already, and unavailable
   * where too many of all callers' do.
   */
  begin(whose: string): Release
  /** Ends all that wait, now and from now on. */
  stop(): void
  count(): number
}

/** How many requests may wait at once on a node. */
export interface OpenStreamLimits {
  perCaller: number
  perNode: number
}

/**
 * Ends what waits when the service stops: it could go on for as long as callers like. What waits is bounded: each holds a
 * connection and memory, and is asked about when something happens.
 */
export function createOpenStreams({ perCaller, perNode }: OpenStreamLimits): OpenStreams {
  const waiting = createKeyedCounter()
  const open = new Set<AbortController>()
  let stopped = false
  return {
    signalFor(lifetime) {
      const end = new AbortController()
      if (stopped) end.abort()
      open.add(end)
      lifetime.onEnd(() => {
        open.delete(end)
        end.abort()
      })
      return end.signal
    },
    begin(whose) {
      if (waiting.of(whose) >= perCaller)
        throw tooMany(
          'waiting',
          `You already have ${perCaller} waiting requests. Wait until one of them ends.`,
        )
      if (waiting.total() >= perNode)
        throw unavailable('Too many requests are waiting on this node. Try again.')
      return waiting.add(whose)
    },
    stop() {
      stopped = true
      for (const end of open) end.abort()
    },
    count: waiting.total,
  }
}

/** Lets nothing move on a connection for as long as an answer may be waited for; Node holds the next request to the usual again. */
export const extendIdleTimeout = ({ raw }: FastifyReply, idleTimeout: number): void =>
  void raw.socket?.setTimeout(idleTimeout + longestWait)
