import type { Caller } from '../../call/authority/caller.ts'
import type { Viewer } from '../../rooms/visibility/room-visibility-store.ts'
import type { presentEvent } from '../event-view.ts'
import type { RoomSight } from './tail-store.ts'

/** An event as it is told, with its cursor. */
export interface Told {
  position: string | null
  data: ReturnType<typeof presentEvent>
}

/** Somebody who waits for what happens. */
export interface Follower {
  caller: Caller
  room_id: string | undefined
  types: readonly string[] | undefined
  /** How far they have come: of what happened until there they know all that they may. */
  position: number
  /** The cursor that names the newest event up to there that they may see. */
  told: string | null
  /** When what they may do was judged last, by the clock of performance.now(). */
  judged: number
  /** That their access token still holds, where they have one. Throws where it does not. */
  tokenHolds(): Promise<void>
  /** Takes what they are to be told: true where they follow on, false where they do not, or not before they come back. */
  take(events: readonly Told[]): boolean
}

/** Whether somebody could see something in a Room if only their standing were good enough. */
export const mightSee = (user_id: string, sight: RoomSight | undefined): boolean =>
  sight !== undefined && (sight.readers || sight.others || sight.participants.has(user_id))

/** Which events of a Room somebody sees: all, none, or those at some positions. */
export function shownTo(
  { user_id, is_member, reads_businesses }: Viewer,
  sight: RoomSight | undefined,
): 'all' | 'none' | ReadonlySet<string> {
  if (!sight) return 'none'
  const shown = sight.participants.get(user_id)
  if (!is_member) return shown === undefined ? 'none' : (shown ?? 'all')
  return shown !== undefined || (reads_businesses ? sight.readers : sight.others) ? 'all' : 'none'
}

/** Whether an event is of one of some types or kinds. */
export const isOfSome = (types: readonly string[] | undefined, type: string): boolean =>
  !types || types.includes(type) || types.includes(`${type.split('.', 1)[0]}.*`)
