import type { Caller } from '../../call/authority/caller.ts'
import type { GuestStanding, Standing } from '../../call/authority/standing.ts'
import { viewerOf } from '../../rooms/room-access.ts'
import type { EventRow } from '../event-visibility-store.ts'
import { presentEvent } from '../event-view.ts'
import type { FeedCursors } from './feed-cursors.ts'
import { isOfSome, mightSee, shownTo, type Follower, type Told } from './follower.ts'
import type { RoomSight } from './tail-store.ts'

/** An event that was read of a feed, with what is the same for all who may be told of it. */
export interface Happened {
  row: EventRow
  at: number
  /** Presented once for all who read it, and once more for who did it. */
  toldTo(caller: Caller): Told
}

export function happened(row: EventRow, cursors: FeedCursors): Happened {
  let [own, others]: Told[] = []
  return {
    row,
    at: Number(row.position),
    toldTo: caller =>
      caller.user_id === row.actor.user_id
        ? (own ??= toldOf(row, caller, cursors))
        : (others ??= toldOf(row, caller, cursors)),
  }
}

export const toldOf = (event: EventRow, caller: Caller, cursors: FeedCursors): Told => ({
  position: cursors.textOf(event.position),
  data: presentEvent(event, caller),
})

/** What was read of a feed, who can see it, and how far it was read. */
export interface Reading {
  events: readonly Happened[]
  sights: ReadonlyMap<string, RoomSight>
  to: number
}

/** Whether an event may concern a follower, whether or not it is hidden from them. */
const isFor = ({ room_id, position }: Follower, { row, at }: Happened): boolean =>
  at > position && (room_id === undefined || row.room_id === room_id)

/** Whether there may be something that a follower sees, by their standing; or what they follow can be seen no more. */
export const concerns = (follower: Follower, { events, sights }: Reading): boolean =>
  events.some(
    event =>
      isFor(follower, event) &&
      (follower.room_id !== undefined || mightSee(follower.caller.user_id, sights.get(event.row.room_id))),
  )

/**
 * Takes a follower on to where it was read, and gives what they are to be told, or that they must look by themselves.
 * `standing` is undefined where it was not asked.
 */
export function newsFor(
  follower: Follower,
  standing: Standing | GuestStanding | null | undefined,
  { events, sights, to }: Reading,
): readonly Told[] | 'look' {
  if (standing === null) return 'look'
  const { caller, room_id, types } = follower
  const news: Told[] = []
  if (standing) {
    const viewer = viewerOf({ caller, standing })
    if (room_id !== undefined && shownTo(viewer, sights.get(room_id)) === 'none') return 'look'
    follower.judged = performance.now()
    for (const event of events) {
      if (!isFor(follower, event)) continue
      const { row } = event
      const shown = shownTo(viewer, sights.get(row.room_id))
      if (shown === 'none' || (shown !== 'all' && !shown.has(row.position))) continue
      const told = event.toldTo(caller)
      follower.told = told.position
      if (isOfSome(types, row.type)) news.push(told)
    }
  }
  follower.position = Math.max(follower.position, to)
  return news
}

/** How many lists are looked through for one of the same events. */
const mostShared = 8

/** Lists of the same events become the same list, which is then written once for all who are told it. */
export function sharing(): (news: readonly Told[]) => readonly Told[] {
  const known: (readonly Told[])[] = []
  return news => {
    const same = known.find(one => one.length === news.length && one.every((told, i) => told === news[i]))
    if (!same && known.length < mostShared) known.push(news)
    return same ?? news
  }
}
