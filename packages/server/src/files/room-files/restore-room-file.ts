import { roomFileMachine } from '@wbs/contract/files/room-file-schema'
import { restoreRoomFile } from '@wbs/contract/files/room-files'
import { requireMove } from '../../call/state.ts'
import { implement } from '../../call/implement.ts'
import { requireRevision } from '../../call/revision.ts'
import { requireActive, viewerOf } from '../../rooms/room-access.ts'
import { requireActiveFile } from '../file-access.ts'
import { beforeRoomFileChange, openRoomFile, requirePlace } from './room-file-access.ts'
import { saveRoomFile } from './room-file-change-store.ts'
import { placeOf } from './room-file-store.ts'
import { presentRoomFile, roomFileAsSubject } from './room-file-view.ts'

export const handleRestoreRoomFile = implement(
  restoreRoomFile,
  async function restoreRoomFile({ room_file_id, expected_revision }, context) {
    const { tx, now, refuse } = context
    const { room, room_file } = await openRoomFile(context, room_file_id, 'edit')
    const { room_id, file } = room_file
    requireActive(room, refuse)
    requireActiveFile(file, refuse)
    const isReady = file.current_version.processing_status === 'ready'
    const move = isReady ? 'restore' : 'restore_before_ready'
    const status = requireMove(roomFileMachine, move, room_file.status, 'The File is in the Room.', refuse)
    requireRevision(room_file, expected_revision, ['status'], refuse)
    const place = await placeOf(tx, viewerOf(context), { room_id, file_id: file.file_id })
    if (place?.room_file_id)
      throw refuse.state_conflict('The Room has the File already, attached once more.', {
        current_status: 'archived',
      })
    requirePlace(place, refuse)
    const restored = saveRoomFile(tx, { ...room_file, status }, now)
    return {
      result: { room_file: presentRoomFile(restored) },
      revision: restored.revision,
      resource: { type: 'room_file', id: room_file_id },
      changed: ['status'],
      events: [{ type: 'file.added_to_room', ...roomFileAsSubject(restored) }],
    }
  },
  beforeRoomFileChange,
)
