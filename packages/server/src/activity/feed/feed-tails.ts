import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../call/authority/caller.ts'
import type { GuestStanding, Standing } from '../../call/authority/standing.ts'
import type { Reader } from '../../database/statement.ts'
import type { CursorsOf } from './feed-cursors.ts'
import { createFeedTail, type FeedTail } from './feed-tail.ts'
import { feedPositionsOf } from './feed-position-store.ts'
import type { Follower } from './follower.ts'

/** Delivers new events to the followers on this node. */
export interface FeedTails {
  /**
   * Delivers new events to a follower until it does not wait for more, the time is up, or `over` is aborted. Resolves with true
   * if its request must check access and read by itself.
   */
  follow(workspace_id: string, follower: Follower, milliseconds: number, over: AbortSignal): Promise<boolean>
}

interface Settings {
  /** A reader of feed positions, which are outside row-level security, and the readers of each Workspace. */
  open: Reader
  readerOf(workspace_id: string): Reader
  cursorsOf: CursorsOf
  /** Reads the standing of callers in a Workspace now; null for those who may not read its feed any more. */
  standingsOf(
    reader: Reader,
    callers: readonly Caller[],
    workspace_id: string,
  ): Promise<ReadonlyMap<Caller, Standing | GuestStanding | null>>
  /** How long standing is not checked again if there are no events, in milliseconds. */
  quiet: number
  /** Told of each delivery when its oldest event occurred. */
  noteDelivery(occurred_at: string): void
  log: { warn(details: object, message: string): void }
}

/** The pause between two polls, in milliseconds: four times as long as the last poll took, within these bounds. */
const [shortestPause, longestPause] = [20, 1000]
/** How many feeds are read at once. */
const readAtOnce = 4
const silenceBetweenWarnings = 60_000

interface WatchedFeed {
  tail: FeedTail
  isReading: boolean
  /** Not read before this time, so that one busy feed leaves time of the node and the database to others. */
  restsUntil: number
}

/**
 * Polls the positions of the feeds that have followers, with one statement for all of them, and only while there are any. New
 * events of a feed are read once for all its followers. If the database fails, polling continues; each request that waits has
 * its own time limit.
 */
export function createFeedTails({
  open,
  readerOf,
  cursorsOf,
  standingsOf,
  quiet,
  noteDelivery,
  log,
}: Settings): FeedTails {
  const watched = new Map<string, WatchedFeed>()
  let isPolling = false
  let reading = 0
  let silentUntil = 0

  function warn(error: unknown): void {
    if (performance.now() < silentUntil) return
    silentUntil = performance.now() + silenceBetweenWarnings
    log.warn(
      { reason: error instanceof Error ? error.name : typeof error },
      'the feeds cannot be looked at, which is tried again',
    )
  }

  async function poll(): Promise<void> {
    const now = performance.now()
    const ids = [...watched].filter(([, one]) => !one.isReading && one.restsUntil <= now).map(([id]) => id)
    if (ids.length === 0) return
    for (const { workspace_id, last_position } of await feedPositionsOf(open, ids)) {
      const watch = watched.get(workspace_id)
      if (watch && !watch.isReading && reading < readAtOnce && watch.tail.isDue(Number(last_position)))
        void read(workspace_id, watch, Number(last_position))
    }
  }

  async function read(workspace_id: string, watchedFeed: WatchedFeed, head: number): Promise<void> {
    const begun = performance.now()
    watchedFeed.isReading = true
    reading++
    // Moves the feed to the end of the map, so that the least recently read come first.
    watched.delete(workspace_id)
    watched.set(workspace_id, watchedFeed)
    try {
      await watchedFeed.tail.advance(head)
    } catch (error) {
      warn(error)
    }
    reading--
    watchedFeed.isReading = false
    const ended = performance.now()
    watchedFeed.restsUntil = ended + Math.min(longestPause, (ended - begun) / 2)
    forget(workspace_id, watchedFeed)
  }

  /** Removes a tail without followers. While it is being read it is kept, because followers that received events come back. */
  function forget(workspace_id: string, watchedFeed: WatchedFeed): void {
    if (!watchedFeed.isReading && watchedFeed.tail.size() === 0 && watched.get(workspace_id) === watchedFeed)
      watched.delete(workspace_id)
  }

  async function pollWhileWatched(): Promise<void> {
    isPolling = true
    let pause = shortestPause
    while (watched.size > 0) {
      await sleep(pause)
      const begun = performance.now()
      await poll().catch(warn)
      pause = Math.max(shortestPause, Math.min(longestPause, 4 * (performance.now() - begun)))
    }
    isPolling = false
  }

  function watch(workspace_id: string, position: number): WatchedFeed {
    const known = watched.get(workspace_id)
    if (known) return known
    const reader = readerOf(workspace_id)
    const tail = createFeedTail(
      {
        workspace_id,
        reader,
        cursors: cursorsOf(workspace_id),
        standingsOf: callers => standingsOf(reader, callers, workspace_id),
        quiet,
        noteDelivery,
      },
      position,
    )
    const watch = { tail, isReading: false, restsUntil: 0 }
    watched.set(workspace_id, watch)
    if (!isPolling) void pollWhileWatched()
    return watch
  }

  return {
    async follow(workspace_id, follower, milliseconds, over) {
      if (over.aborted) return false
      const watched = watch(workspace_id, follower.position)
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const stop = () => resolve(false)
      const timer = setTimeout(stop, milliseconds)
      over.addEventListener('abort', stop)
      watched.tail.add(follower, resolve)
      try {
        return await promise
      } finally {
        clearTimeout(timer)
        over.removeEventListener('abort', stop)
        watched.tail.remove(follower)
        forget(workspace_id, watched)
      }
    },
  }
}
