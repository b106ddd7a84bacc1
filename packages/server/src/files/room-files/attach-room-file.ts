import { attachRoomFile } from '@wbs/contract/files/room-files'
import type { InputOf } from '@wbs/contract/operation'
import { implement } from '../../call/implement.ts'
import type { Refuse } from '../../call/problem.ts'
import {
  checkRoomVisible,
  requireActive,
  requireOpened,
  viewerOf,
  type CallerOfChange,
} from '../../rooms/room-access.ts'
import { requireActiveFile, requireFileLevel } from '../file-access.ts'
import { requirePlace } from './room-file-access.ts'
import { insertRoomFile } from './room-file-change-store.ts'
import { lockRoomAndFile } from './room-file-lock-store.ts'
import { roomFileById, type RoomFileRow } from './room-file-store.ts'
import { presentRoomFile, roomFileAsSubject } from './room-file-view.ts'

export const handleAttachRoomFile = implement(
  attachRoomFile,
  async function attachRoomFile(input, context) {
    const { tx, now, refuse } = context
    const locked = await lockForAttaching(input, context)
    const room = requireOpened(locked.room, 'edit', refuse)
    if (!locked.file) throw refuse.not_found('There is no such File, or you cannot see it.')
    const file = requireFileLevel(locked.file, 'full_access', refuse)
    requireActive(room, refuse)
    requireActiveFile(file, refuse)
    if (locked.place?.room_file_id) return found(await requireAttached(locked.place.room_file_id, context))
    const { processing_status } = file.current_version
    if (processing_status !== 'ready')
      throw refuse.state_conflict('The File is not ready. Attach it when its content has been processed.', {
        current_status: processing_status,
      })
    requirePlace(locked.place, refuse)
    const room_file = insertRoomFile(tx, viewerOf(context), room, file, input.index_path ?? file.name, now)
    return {
      result: { room_file: presentRoomFile(room_file) },
      revision: room_file.revision,
      resource: { type: 'room_file', id: room_file.room_file_id },
      changed: ['status'],
      events: [{ type: 'file.added_to_room', ...roomFileAsSubject(room_file) }],
    }
  },
  { visible: checkRoomVisible, prefetch: lockForAttaching },
)

function lockForAttaching(input: InputOf<typeof attachRoomFile>, context: CallerOfChange) {
  return lockRoomAndFile(context.tx, viewerOf(context), input, context.standing.seal)
}

/** The attachment that the Room has already. Throws state_conflict if it is restricted to others. */
async function requireAttached(
  room_file_id: string,
  context: CallerOfChange & { refuse: Refuse<'state_conflict'> },
): Promise<RoomFileRow> {
  const attached = await roomFileById(context.tx, viewerOf(context), room_file_id)
  if (!attached)
    throw context.refuse.state_conflict('The Room has the File already, restricted to others.', {
      current_status: 'restricted',
    })
  return attached
}

const found = (room_file: RoomFileRow) => ({
  result: { room_file: presentRoomFile(room_file) },
  revision: room_file.revision,
  resource: { type: 'room_file' as const, id: room_file.room_file_id },
  events: [],
  found: true,
})
