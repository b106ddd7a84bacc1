import { updateRoom } from '@wbs/contract/rooms/rooms'
import { implement } from '../call/implement.ts'
import { requireRevision } from '../call/revision.ts'
import { changedFields, editRoom, findConflict } from './room.ts'
import { beforeRoomChange, openRoom, requireActive } from './room-access.ts'
import { saveRoom } from './room-change-store.ts'
import { roomAsSubject, presentRoom } from './room-view.ts'

export const handleUpdateRoom = implement(
  updateRoom,
  async function updateRoom({ room_id, expected_revision, ...changes }, context) {
    const { tx, now, refuse } = context
    const room = await openRoom(context, room_id, 'full_access')
    const conflict = findConflict(room, changes)
    if (conflict)
      throw refuse.validation_error(conflict.detail, {
        errors: [{ in: 'body', pointer: `/${conflict.field}`, code: 'conflict', detail: conflict.detail }],
      })
    requireActive(room, refuse)
    const edited = editRoom(room, changes)
    const { described, access } = changedFields(room, edited)
    const changed = [...described, ...access]
    requireRevision(room, expected_revision, changed, refuse)
    const saved = changed.length > 0 ? saveRoom(tx, edited, now) : room
    return {
      result: { room: presentRoom(saved) },
      revision: saved.revision,
      resource: { type: 'room', id: room_id },
      changed,
      events: [
        ...(described.length > 0
          ? [{ type: 'room.updated' as const, ...roomAsSubject(saved), data: { changed: described } }]
          : []),
        ...(access.length > 0
          ? [{ type: 'room.access_changed' as const, ...roomAsSubject(saved), data: { changed: access } }]
          : []),
      ],
    }
  },
  beforeRoomChange,
)
