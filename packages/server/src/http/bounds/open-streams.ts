import type { RequestLifetime } from './connections.ts'
import { createKeyedCounter, type Release } from './keyed-counter.ts'
import { nodeFull, tooMany } from './too-many.ts'

/** What a request waits as: a stream, a long poll, or the repetition of a change that runs. */
export type WaitingKind = 'stream' | 'poll' | 'repetition'

/** The requests that wait. */
export interface OpenStreams {
  /** A signal that is aborted when the client disconnects or the service stops. */
  signalFor(lifetime: RequestLifetime): AbortSignal
  /**
   * Counts a request that begins to wait. Throws rate_limited if too many of its caller wait, and unavailable if too
   * many wait on this node.
   */
  begin(whose: string, kind: WaitingKind): Release
  /** Ends all requests that wait, now and from now on. */
  stop(): void
  count(): number
  usage(): Record<WaitingKind, number>
}

/** How many requests may wait at once on a node. */
export interface OpenStreamLimits {
  perCaller: number
  perNode: number
}

/**
 * Tracks requests that wait. They end when the service stops, since they could otherwise go on for as long as their
 * clients like; and their number is limited, since each holds a connection and memory.
 */
export function createOpenStreams({ perCaller, perNode }: OpenStreamLimits): OpenStreams {
  const waiting = createKeyedCounter()
  const kinds = createKeyedCounter()
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
    begin(whose, kind) {
      if (waiting.of(whose) >= perCaller)
        throw tooMany(
          'waiting',
          `You already have ${perCaller} waiting requests. Wait until one of them ends.`,
        )
      if (waiting.total() >= perNode) throw nodeFull('Too many requests are waiting on this node. Try again.')
      const releases = [waiting.add(whose), kinds.add(kind)]
      return () => releases.forEach(release => release())
    },
    stop() {
      stopped = true
      for (const end of open) end.abort()
    },
    count: waiting.total,
    usage: () => ({ stream: kinds.of('stream'), poll: kinds.of('poll'), repetition: kinds.of('repetition') }),
  }
}
