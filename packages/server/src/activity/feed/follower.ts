import type { Caller } from '../../call/authority/caller.ts'
import type { Viewer } from '../../rooms/visibility/room-visibility-store.ts'
import type { presentEvent } from '../event-view.ts'
import type { RoomVisibility } from './feed-tail-store.ts'

/** An event as it is sent to a client, with its cursor. */
export interface EventItem {
  position: string | null
  data: ReturnType<typeof presentEvent>
}

/** A request that waits for events: a stream or a long poll. */
export interface Follower {
  caller: Caller
  room_id: string | undefined
  types: readonly string[] | undefined
  /** The position up to which the follower has received every event that they may see. */
  position: number
  /** The cursor of the newest visible event up to that position. */
  cursor: string | null
  /** When the caller's standing was last checked, by the clock of performance.now(). */
  checkedAt: number
  /** Checks that the caller's access token is still valid, if they use one. Throws if it is not. */
  tokenHolds(): Promise<void>
  /** Takes new events. Returns false if the follower does not wait for more, or must be read again before it does. */
  deliver(events: readonly EventItem[]): boolean
}

/** Whether a user could see events of a Room with some standing. Saves reading the standing of those who cannot. */
export const maySee = (user_id: string, room: RoomVisibility | undefined): boolean =>
  room !== undefined && (room.readers || room.others || room.participants.has(user_id))

/** Which events of a Room a viewer can see: all, none, or those at some positions. */
export function visibleEvents(
  { user_id, is_member, reads_businesses }: Viewer,
  room: RoomVisibility | undefined,
): 'all' | 'none' | ReadonlySet<string> {
  if (!room) return 'none'
  const shown = room.participants.get(user_id)
  if (!is_member) return shown === undefined ? 'none' : (shown ?? 'all')
  return shown !== undefined || (reads_businesses ? room.readers : room.others) ? 'all' : 'none'
}

/** Whether somebody who sees events of the Room may see the one at a position: it may be of a restricted File. */
export const mayKnowFile = (user_id: string, room: RoomVisibility | undefined, position: string): boolean =>
  room?.restricted.get(position)?.has(user_id) ?? true

/** Whether an event has one of some types, or one of some groups of types such as `room.*`. */
export const isOfTypes = (types: readonly string[] | undefined, type: string): boolean =>
  !types || types.includes(type) || types.includes(`${type.split('.', 1)[0]}.*`)
