import type { EventRow } from './event-visibility-store.ts'

/** An event as the answer shows it. The row was read for this caller. */
export function presentEvent(row: EventRow, caller: { user_id: string }) {
  const { position: _, room_id, room_title, ...event } = row
  return {
    ...event,
    room: { id: room_id, title: room_title },
    mine: event.actor.user_id === caller.user_id,
  }
}
