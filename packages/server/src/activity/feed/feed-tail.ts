import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Caller } from '../../call/authority/caller.ts'
import type { GuestStanding, Standing } from '../../call/authority/standing.ts'
import type { Reader } from '../../database/statement.ts'
import type { EventRow } from '../event-visibility-store.ts'
import { advanceFollower, createListSharing, feedEvent, mayConcern } from './delivery.ts'
import type { FeedCursors } from './feed-cursors.ts'
import type { Follower } from './follower.ts'
import { batchBetween, visibilityOfRooms, type RoomVisibility } from './feed-tail-store.ts'

/** Reads the new events of one Workspace for all followers on this node. */
export interface FeedTail {
  /** Delivers new events to a follower until it is released. */
  add(follower: Follower, release: Release): void
  remove(follower: Follower): void
  size(): number
  /** Whether there is work to do if the feed ends at a position. */
  isDue(head: number): boolean
  /**
   * Reads the next events, up to the end of the feed at most, and delivers them. Throws errors of the database; the next call
   * then continues from the same place, so that nobody misses an event.
   */
  advance(head: number): Promise<void>
}

/** Ends the wait of a follower; with `readAgain`, its request must check access and read by itself. */
export type Release = (readAgain: boolean) => void

/** Reads the standing of callers in the Workspace now; null for those who may not read its feed any more. */
export type StandingsOf = (
  callers: readonly Caller[],
) => Promise<ReadonlyMap<Caller, Standing | GuestStanding | null>>

interface TailParts {
  workspace_id: string
  reader: Reader
  cursors: FeedCursors
  standingsOf: StandingsOf
  /** How long standing is not checked again if there are no events at all, in milliseconds. */
  quiet: number
  /** Told of each delivery when its oldest event occurred. */
  noteDelivery(occurred_at: string): void
}

/** How many positions one batch reads. */
const batchSize = 400
/** A follower further behind than this is released to read by itself, so that the others need not wait for it. */
const mostBehind = 500
/** With more new events than this, all followers read by themselves: such a read skips hidden events in one statement. */
const mostNewEvents = 2000
/** How many pairs of a Room and a follower one statement decides on, and how many followers at least and at most. */
const mostPairs = 20_000
const [fewest, most] = [50, 1000]
/** After how many deliveries other work of the process gets a turn. */
const deliveriesPerTurn = 50
/** How often all followers are checked while there are events, including those whom no event concerns: in milliseconds. */
const sweepPause = 1000

export function createFeedTail(
  { workspace_id, reader, cursors, standingsOf, quiet, noteDelivery }: TailParts,
  start: number,
): FeedTail {
  const followers = new Map<Follower, Release>()
  /** Up to here the feed was read; no follower is further, unless the database was restored to an earlier state. */
  let position = start
  /** A follower may be at an earlier position than the others. */
  let someBehind = false
  let swept = performance.now()
  let isSweepDue = false

  function release(follower: Follower, readAgain: boolean): void {
    const end = followers.get(follower)
    followers.delete(follower)
    end?.(readAgain)
  }

  const isTimeToSweep = () => performance.now() - swept >= (isSweepDue ? Math.min(sweepPause, quiet) : quiet)

  async function advance(head: number): Promise<void> {
    const present = [...followers.keys()]
    if (head - position > mostNewEvents) {
      position = head
      for (const follower of present) release(follower, true)
      return
    }
    const [begun, sweep, goesOn] = [performance.now(), isTimeToSweep(), head !== position || someBehind]
    someBehind = false
    try {
      if (goesOn) await readBatch(present, sweep)
      else await deliverBatch([], position, present, sweep)
    } catch (error) {
      someBehind = true
      throw error
    }
    if (sweep) [swept, isSweepDue] = [begun, false]
  }

  async function readBatch(present: Follower[], sweep: boolean): Promise<void> {
    const from = present.reduce((least, waiter) => Math.min(least, waiter.position), position)
    const { head, events } = await batchBetween(reader, workspace_id, from, position + batchSize)
    const to = Math.min(head, position + batchSize)
    if (to > position) isSweepDue = true
    await deliverBatch(events, to, present, sweep)
    // After the database was restored to an earlier state, followers past its end must find their position again.
    for (const follower of present) if (follower.position > head) release(follower, true)
    position = to
    for (const { position: at } of followers.keys()) if (at < position) someBehind = true
  }

  async function deliverBatch(
    rows: EventRow[],
    to: number,
    present: Follower[],
    sweep: boolean,
  ): Promise<void> {
    const rooms = new Set(rows.map(row => row.room_id))
    const events = rows.map(row => feedEvent(row, cursors))
    const shareList = createListSharing()
    const size = Math.max(fewest, Math.min(most, Math.floor(mostPairs / Math.max(1, rooms.size))))
    for (let at = 0; at < present.length; at += size) {
      const some = present.slice(at, at + size).filter(follower => follower.position <= to)
      const followed = sweep ? some.flatMap(({ room_id }) => room_id ?? []) : []
      const visibility = await visibilityFor(some, rows, [...new Set([...rooms, ...followed])])
      const batch = { events, visibility, to }
      const concerned = some.filter(follower => mayConcern(follower, batch))
      const invalid = await withInvalidToken(concerned)
      const callers = [...new Set((sweep ? some : concerned).map(({ caller }) => caller))]
      const standings = callers.length === 0 ? none : await standingsOf(callers)
      let delivered = 0
      for (const follower of some) {
        // A follower that was released meanwhile continues from its own position when it comes back.
        if (!followers.has(follower)) continue
        const standing = invalid.has(follower) ? null : standings.get(follower.caller)
        const items = advanceFollower(follower, standing, batch)
        if (items === 'read_again') release(follower, true)
        else {
          const [oldest] = items
          if (!oldest) continue
          if (!follower.deliver(shareList(items))) release(follower, false)
          noteDelivery(oldest.data.occurred_at)
        }
        if (++delivered % deliveriesPerTurn === 0) await nextTurn()
      }
    }
  }

  async function visibilityFor(
    some: readonly Follower[],
    events: readonly EventRow[],
    room_ids: string[],
  ): Promise<Map<string, RoomVisibility>> {
    if (room_ids.length === 0) return new Map()
    return visibilityOfRooms(reader, workspace_id, {
      room_ids,
      positions: events.map(event => event.position),
      file_positions: events.filter(({ subject }) => subject.type === 'file').map(event => event.position),
      user_ids: [...new Set(some.map(({ caller }) => caller.user_id))],
    })
  }

  return {
    add(follower, end) {
      if (position - follower.position > mostBehind) return end(true)
      if (follower.position < position) someBehind = true
      followers.set(follower, end)
    },
    remove: follower => void followers.delete(follower),
    size: () => followers.size,
    isDue: head => head !== position || someBehind || isTimeToSweep(),
    advance,
  }
}

const none: Awaited<ReturnType<StandingsOf>> = new Map()

/** The followers whose access token is no longer valid. */
async function withInvalidToken(followers: readonly Follower[]): Promise<Set<Follower>> {
  const invalid = new Set<Follower>()
  await Promise.all(followers.map(follower => follower.tokenHolds().catch(() => void invalid.add(follower))))
  return invalid
}
