import { restoreRoom, roomMachine } from '@wbs/contract/rooms/rooms'
import { requireMove } from '../call/state.ts'
import { implement } from '../call/implement.ts'
import { requireRevision } from '../call/revision.ts'
import { beforeRoomChange, openRoom, requireParentActive } from './room-access.ts'
import { saveRoom } from './room-change-store.ts'
import { roomAsSubject, presentRoom } from './room-view.ts'

export const handleRestoreRoom = implement(
  restoreRoom,
  async function restoreRoom({ room_id, expected_revision }, context) {
    const { tx, now, refuse } = context
    const room = await openRoom(context, room_id, 'full_access')
    const status = requireMove(roomMachine, 'restore', room.status, 'The Room is not archived.', refuse)
    requireParentActive(room, refuse)
    requireRevision(room, expected_revision, ['status'], refuse)
    const restored = saveRoom(tx, { ...room, status }, now)
    return {
      result: { room: presentRoom(restored) },
      revision: restored.revision,
      resource: { type: 'room', id: room_id },
      changed: ['status'],
      events: [{ type: 'room.restored', ...roomAsSubject(restored) }],
    }
  },
  beforeRoomChange,
)
