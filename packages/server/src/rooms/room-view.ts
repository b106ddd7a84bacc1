import { guestFilesOf, type RoomRow } from './room-store.ts'

/** A Room as the answer shows it. The row was read for this viewer. */
export function presentRoom(row: RoomRow) {
  const {
    workspace_id: _,
    parent_id,
    parent_title,
    parent_status: __,
    business_id,
    attachments,
    ...room
  } = row
  return {
    ...room,
    guest_files: guestFilesOf(room),
    attachments: attachments
      .filter(({ is_hidden }) => !is_hidden)
      .map(({ is_hidden: _hidden, ...shown }) => shown),
    ...(business_id !== null && { business_id }),
    ...(parent_id !== null && { parent: { room_id: parent_id, title: parent_title } }),
  }
}

/** The fields of an event that name its Room: as its subject, and as the Room whose feed has the event. */
export const roomAsSubject = ({ room_id, title }: { room_id: string; title: string }) => ({
  subject: { type: 'room', id: room_id, name: title },
  room_id,
})
