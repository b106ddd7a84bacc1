import type { Caller } from '../../call/authority/caller.ts'
import type { GuestStanding, Standing } from '../../call/authority/standing.ts'
import { viewerOf } from '../../rooms/room-access.ts'
import type { EventRow } from '../event-visibility-store.ts'
import { presentEvent } from '../event-view.ts'
import type { FeedCursors } from './feed-cursors.ts'
import { isOfTypes, mayKnowFile, maySee, visibleEvents, type EventItem, type Follower } from './follower.ts'
import type { RoomVisibility } from './feed-tail-store.ts'

/** An event of a feed, with what all its receivers share. */
export interface FeedEvent {
  row: EventRow
  position: number
  /** The event as an item. It is made twice at most: for the actor, and for everybody else. */
  itemFor(caller: Caller): EventItem
}

export function feedEvent(row: EventRow, cursors: FeedCursors): FeedEvent {
  let [own, others]: EventItem[] = []
  return {
    row,
    position: Number(row.position),
    itemFor: caller =>
      caller.user_id === row.actor.user_id
        ? (own ??= eventItem(row, caller, cursors))
        : (others ??= eventItem(row, caller, cursors)),
  }
}

export const eventItem = (event: EventRow, caller: Caller, cursors: FeedCursors): EventItem => ({
  position: cursors.textOf(event.position),
  data: presentEvent(event, caller),
})

/** Events that were read from a feed, who can see them, and the position up to which the feed was read. */
export interface DeliveryBatch {
  events: readonly FeedEvent[]
  visibility: ReadonlyMap<string, RoomVisibility>
  to: number
}

/** Whether a follower waits for an event, visible or not. */
const isInScope = (follower: Follower, { row, position }: FeedEvent): boolean =>
  position > follower.position && (follower.room_id === undefined || row.room_id === follower.room_id)

/**
 * Whether a batch may hold something for a follower, so that their standing must be checked. For a follower of one Room that
 * is every event of it, because they may have lost the Room.
 */
export const mayConcern = (follower: Follower, { events, visibility }: DeliveryBatch): boolean =>
  events.some(
    event =>
      isInScope(follower, event) &&
      (follower.room_id !== undefined || maySee(follower.caller.user_id, visibility.get(event.row.room_id))),
  )

/**
 * Moves a follower to the end of a batch and returns the items for them, or 'read_again' if their request must check access
 * and read by itself. `standing` is null if the caller may not read the feed now, undefined if that was not checked.
 */
export function advanceFollower(
  follower: Follower,
  standing: Standing | GuestStanding | null | undefined,
  { events, visibility, to }: DeliveryBatch,
): readonly EventItem[] | 'read_again' {
  if (standing === null) return 'read_again'
  const { caller, room_id, types } = follower
  const items: EventItem[] = []
  if (standing) {
    const viewer = viewerOf({ caller, standing })
    if (room_id !== undefined && visibleEvents(viewer, visibility.get(room_id)) === 'none')
      return 'read_again'
    follower.checkedAt = performance.now()
    for (const event of events) {
      if (!isInScope(follower, event)) continue
      const { row } = event
      const visible = visibleEvents(viewer, visibility.get(row.room_id))
      if (visible === 'none' || (visible !== 'all' && !visible.has(row.position))) continue
      if (!mayKnowFile(caller.user_id, visibility.get(row.room_id), row.position)) continue
      const item = event.itemFor(caller)
      follower.cursor = item.position
      if (isOfTypes(types, row.type)) items.push(item)
    }
  }
  follower.position = Math.max(follower.position, to)
  return items
}

/** With how many earlier lists a list is compared. */
const mostCompared = 8

/** Replaces equal lists of items by one list, so that it is serialized once for all who receive it. */
export function createListSharing(): (items: readonly EventItem[]) => readonly EventItem[] {
  const known: (readonly EventItem[])[] = []
  return items => {
    const same = known.find(
      delivery => delivery.length === items.length && delivery.every((item, i) => item === items[i]),
    )
    if (!same && known.length < mostCompared) known.push(items)
    return same ?? items
  }
}
