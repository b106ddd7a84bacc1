import type { RoomRow } from './room-store.ts'

/** A Room as the viewer for whom the row was read sees it. */
export function presentRoom(row: RoomRow) {
  const { workspace_id: _, parent_id, parent_title, parent_status: __, business_id, ...room } = row
  return {
    ...room,
    ...(business_id !== null && { business_id }),
    ...(parent_id !== null && { parent: { room_id: parent_id, title: parent_title } }),
  }
}

/** What a change of a Room is about: the subject of its event, and the Room in whose feed it is read. */
export const ofRoom = ({ room_id, title }: { room_id: string; title: string }) => ({
  subject: { type: 'room', id: room_id, name: title },
  room_id,
})
