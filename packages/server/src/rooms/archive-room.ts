import { archiveRoom } from '@wbs/contract/rooms/rooms'
import { implement } from '../call/implement.ts'
import { requireRevision } from '../call/revision.ts'
import { beforeRoomChange, openRoom, requireActive } from './room-access.ts'
import { saveRoom } from './room-change-store.ts'
import { roomAsSubject, presentRoom } from './room-view.ts'

export const handleArchiveRoom = implement(
  archiveRoom,
  async function archiveRoom({ room_id, expected_revision }, context) {
    const { tx, now, refuse } = context
    const room = await openRoom(context, room_id, 'full_access')
    // Archiving an archived Room succeeds and changes nothing.
    const isNew = room.status === 'active'
    if (isNew) requireActive(room, refuse)
    requireRevision(room, expected_revision, ['status'], refuse)
    const archived = isNew ? saveRoom(tx, { ...room, status: 'archived' }, now) : room
    return {
      result: { room: presentRoom(archived) },
      revision: archived.revision,
      resource: { type: 'room', id: room_id },
      changed: isNew ? ['status'] : [],
      events: isNew ? [{ type: 'room.archived', ...roomAsSubject(archived) }] : [],
    }
  },
  beforeRoomChange,
)
