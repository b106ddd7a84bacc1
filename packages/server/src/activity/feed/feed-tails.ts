import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../call/authority/caller.ts'
import type { GuestStanding, Standing } from '../../call/authority/standing.ts'
import type { Reader } from '../../database/statement.ts'
import type { CursorsOf } from './feed-cursors.ts'
import { createFeedTail, type FeedTail } from './feed-tail.ts'
import { positionsOf } from './feed-watch-store.ts'
import type { Follower } from './follower.ts'

/** Tells those who wait on this node what happens. */
export interface FeedTails {
  /**
   * Tells a follower what concerns them until they take no more, the time is up, or it is over. Resolves with whether they
   * must look by themselves.
   */
  follow(workspace_id: string, follower: Follower, milliseconds: number, over: AbortSignal): Promise<boolean>
}

interface Settings {
  /** A reader of what stands outside row-level security, and readers of each Workspace. */
  open: Reader
  readerOf(workspace_id: string): Reader
  cursorsOf: CursorsOf
  /** Says what each of some callers may do in a Workspace now; null of those who may not read its feed any more. */
  judge(
    reader: Reader,
    callers: readonly Caller[],
    workspace_id: string,
  ): Promise<ReadonlyMap<Caller, Standing | GuestStanding | null>>
  /** How long what somebody may do is not judged anew where nothing happens, in milliseconds. */
  quiet: number
  log: { warn(details: object, message: string): void }
}

/** How long it waits between two looks, in milliseconds; four times as long as a look takes, where that is more. */
const [shortestPause, longestPause] = [20, 1000]
/** How many feeds are read at once. */
const readAtOnce = 4
const silenceBetweenWarnings = 60_000

interface Watched {
  tail: FeedTail
  isReading: boolean
  /** It is not read before: what reading it takes of the node and the database leaves as much to others. */
  restsUntil: number
}

/**
 * Looks at the feeds of exactly the Workspaces that somebody waits for, with one statement for all of them, and only while
 * somebody waits; what is new in one is read once for all who wait there. Where the database does not answer it goes on
 * looking: who waits has a time of their own.
 */
export function createFeedTails({ open, readerOf, cursorsOf, judge, quiet, log }: Settings): FeedTails {
  const watched = new Map<string, Watched>()
  let isLooking = false
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

  async function look(): Promise<void> {
    const now = performance.now()
    const ids = [...watched].filter(([, one]) => !one.isReading && one.restsUntil <= now).map(([id]) => id)
    if (ids.length === 0) return
    for (const { workspace_id, last_position } of await positionsOf(open, ids)) {
      const one = watched.get(workspace_id)
      if (one && !one.isReading && reading < readAtOnce && one.tail.isDue(Number(last_position)))
        void read(workspace_id, one, Number(last_position))
    }
  }

  async function read(workspace_id: string, one: Watched, head: number): Promise<void> {
    const begun = performance.now()
    one.isReading = true
    reading++
    // Those who were not read for longest come first.
    watched.delete(workspace_id)
    watched.set(workspace_id, one)
    try {
      await one.tail.readOn(head)
    } catch (error) {
      warn(error)
    }
    reading--
    one.isReading = false
    const ended = performance.now()
    one.restsUntil = ended + Math.min(longestPause, (ended - begun) / 2)
    forget(workspace_id, one)
  }

  /** A tail that nobody follows is not kept; while it is read, those whom it woke come back. */
  function forget(workspace_id: string, one: Watched): void {
    if (!one.isReading && one.tail.size() === 0 && watched.get(workspace_id) === one)
      watched.delete(workspace_id)
  }

  async function keepLooking(): Promise<void> {
    isLooking = true
    let pause = shortestPause
    while (watched.size > 0) {
      await sleep(pause)
      const begun = performance.now()
      await look().catch(warn)
      pause = Math.max(shortestPause, Math.min(longestPause, 4 * (performance.now() - begun)))
    }
    isLooking = false
  }

  function watch(workspace_id: string, position: number): Watched {
    const known = watched.get(workspace_id)
    if (known) return known
    const reader = readerOf(workspace_id)
    const tail = createFeedTail(
      {
        workspace_id,
        reader,
        cursors: cursorsOf(workspace_id),
        judge: callers => judge(reader, callers, workspace_id),
        quiet,
      },
      position,
    )
    const one = { tail, isReading: false, restsUntil: 0 }
    watched.set(workspace_id, one)
    if (!isLooking) void keepLooking()
    return one
  }

  return {
    async follow(workspace_id, follower, milliseconds, over) {
      if (over.aborted) return false
      const one = watch(workspace_id, follower.position)
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const stop = () => resolve(false)
      const timer = setTimeout(stop, milliseconds)
      over.addEventListener('abort', stop)
      one.tail.add(follower, resolve)
      try {
        return await promise
      } finally {
        clearTimeout(timer)
        over.removeEventListener('abort', stop)
        one.tail.remove(follower)
        forget(workspace_id, one)
      }
    },
  }
}
