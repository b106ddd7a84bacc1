import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Caller } from '../../call/authority/caller.ts'
import type { GuestStanding, Standing } from '../../call/authority/standing.ts'
import type { Reader } from '../../database/statement.ts'
import type { EventRow } from '../event-visibility-store.ts'
import type { FeedCursors } from './feed-cursors.ts'
import type { Follower } from './follower.ts'
import { concerns, happened, newsFor, sharing } from './news.ts'
import { batchBetween, roomSights, type RoomSight } from './tail-store.ts'

/** The end of one Workspace's feed, as those on this node wait for it. */
export interface FeedTail {
  /** Tells a follower what concerns them, until they take no more, or must look by themselves: then they are let go. */
  add(follower: Follower, letGo: LetGo): void
  remove(follower: Follower): void
  size(): number
  /** Whether there is something to do, where the feed has come to a position. */
  isDue(head: number): boolean
  /**
   * Reads on to a position at least, and tells whom it concerns. Throws what the database does; nobody misses anything by it.
   */
  readOn(head: number): Promise<void>
}

/** Ends that somebody follows; `look` where they must look by themselves. */
export type LetGo = (look: boolean) => void

/** Says what each of some callers may do in the Workspace now; null of those who may not read its feed any more. */
export type JudgeMany = (
  callers: readonly Caller[],
) => Promise<ReadonlyMap<Caller, Standing | GuestStanding | null>>

interface TailParts {
  workspace_id: string
  reader: Reader
  cursors: FeedCursors
  judge: JudgeMany
  /** How long what somebody may do is not judged anew where nothing happens at all, in milliseconds. */
  quiet: number
}

/** How many positions it goes on at a time. */
const stride = 400
/** How far somebody may be behind the others and be told along with them. Who is further behind looks by themselves. */
const reach = 500
/** Where more than so much has happened at once, each looks by themselves: that passes over what is hidden all at a time. */
const mostAhead = 2000
/** How many pairs of a Room and a follower one statement decides on, and how many followers at least and at most. */
const mostPairs = 20_000
const [fewest, most] = [50, 1000]
/** How many are spoken to before something else has its turn. */
const spokenToAtOnce = 50
/** How often those whom nothing concerns are judged, too, while anything happens: in milliseconds. */
const sweepPause = 1000

export function createFeedTail(
  { workspace_id, reader, cursors, judge, quiet }: TailParts,
  start: number,
): FeedTail {
  const followers = new Map<Follower, LetGo>()
  /** All who were there when it was read have come so far, or are behind. */
  let position = start
  /** Somebody came who is not as far as the others. */
  let someBehind = false
  let swept = performance.now()
  let isSweepDue = false

  function letGo(follower: Follower, look: boolean): void {
    const end = followers.get(follower)
    followers.delete(follower)
    end?.(look)
  }

  const sweeps = () => performance.now() - swept >= (isSweepDue ? Math.min(sweepPause, quiet) : quiet)

  async function readOn(head: number): Promise<void> {
    const present = [...followers.keys()]
    if (head - position > mostAhead) {
      position = head
      for (const follower of present) letGo(follower, true)
      return
    }
    const [begun, sweep, goesOn] = [performance.now(), sweeps(), head !== position || someBehind]
    someBehind = false
    try {
      if (goesOn) await readBatch(present, sweep)
      else await tellOf([], position, present, sweep)
    } catch (error) {
      someBehind = true
      throw error
    }
    if (sweep) [swept, isSweepDue] = [begun, false]
  }

  async function readBatch(present: Follower[], sweep: boolean): Promise<void> {
    const from = present.reduce((least, one) => Math.min(least, one.position), position)
    const { head, events } = await batchBetween(reader, workspace_id, from, position + stride)
    const to = Math.min(head, position + stride)
    if (to > position) isSweepDue = true
    await tellOf(events, to, present, sweep)
    // Past the end, as where the database was set back, it is for them to find out where they are.
    for (const follower of present) if (follower.position > head) letGo(follower, true)
    position = to
    for (const { position: at } of followers.keys()) if (at < position) someBehind = true
  }

  async function tellOf(events: EventRow[], to: number, present: Follower[], sweep: boolean): Promise<void> {
    const rooms = new Set(events.map(event => event.room_id))
    const all = events.map(event => happened(event, cursors))
    const sharedList = sharing()
    const size = Math.max(fewest, Math.min(most, Math.floor(mostPairs / Math.max(1, rooms.size))))
    for (let at = 0; at < present.length; at += size) {
      const some = present.slice(at, at + size).filter(follower => follower.position <= to)
      const followed = sweep ? some.flatMap(({ room_id }) => room_id ?? []) : []
      const sights = await sightsFor(some, events, [...new Set([...rooms, ...followed])])
      const reading = { events: all, sights, to }
      const concerned = some.filter(follower => concerns(follower, reading))
      const refused = await whoseTokenIsOver(concerned)
      const asked = [...new Set((sweep ? some : concerned).map(({ caller }) => caller))]
      const standings = asked.length === 0 ? none : await judge(asked)
      let spoken = 0
      for (const follower of some) {
        // Who has gone meanwhile, for good or to be judged, comes back from where they were.
        if (!followers.has(follower)) continue
        const standing = refused.has(follower) ? null : standings.get(follower.caller)
        const news = newsFor(follower, standing, reading)
        if (news === 'look') letGo(follower, true)
        else if (news.length === 0) continue
        else if (!follower.take(sharedList(news))) letGo(follower, false)
        if (++spoken % spokenToAtOnce === 0) await nextTurn()
      }
    }
  }

  async function sightsFor(
    some: readonly Follower[],
    events: readonly EventRow[],
    room_ids: string[],
  ): Promise<Map<string, RoomSight>> {
    if (room_ids.length === 0) return new Map()
    return roomSights(reader, workspace_id, {
      room_ids,
      positions: events.map(event => event.position),
      user_ids: [...new Set(some.map(({ caller }) => caller.user_id))],
    })
  }

  return {
    add(follower, end) {
      if (position - follower.position > reach) return end(true)
      if (follower.position < position) someBehind = true
      followers.set(follower, end)
    },
    remove: follower => void followers.delete(follower),
    size: () => followers.size,
    isDue: head => head !== position || someBehind || sweeps(),
    readOn,
  }
}

const none: Awaited<ReturnType<JudgeMany>> = new Map()

/** Those of whom the token does not hold any more. */
async function whoseTokenIsOver(followers: readonly Follower[]): Promise<Set<Follower>> {
  const refused = new Set<Follower>()
  await Promise.all(followers.map(one => one.tokenHolds().catch(() => void refused.add(one))))
  return refused
}
