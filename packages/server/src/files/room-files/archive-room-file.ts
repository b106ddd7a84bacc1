import { archiveRoomFile } from '@wbs/contract/files/room-files'
import { implement } from '../../call/implement.ts'
import { requireRevision } from '../../call/revision.ts'
import { requireActive } from '../../rooms/room-access.ts'
import { beforeRoomFileChange, openRoomFile } from './room-file-access.ts'
import { saveRoomFile } from './room-file-change-store.ts'
import { presentRoomFile, roomFileAsSubject } from './room-file-view.ts'

export const handleArchiveRoomFile = implement(
  archiveRoomFile,
  async function archiveRoomFile({ room_file_id, expected_revision }, context) {
    const { tx, now, refuse } = context
    const { room, room_file } = await openRoomFile(context, room_file_id, 'edit')
    requireActive(room, refuse)
    requireRevision(room_file, expected_revision, ['status'], refuse)
    // Archiving an archived one succeeds and changes nothing.
    const isNew = room_file.status !== 'archived'
    const archived = isNew ? saveRoomFile(tx, { ...room_file, status: 'archived' }, now) : room_file
    return {
      result: { room_file: presentRoomFile(archived) },
      revision: archived.revision,
      resource: { type: 'room_file', id: room_file_id },
      changed: isNew ? ['status'] : [],
      events: isNew ? [{ type: 'file.removed_from_room', ...roomFileAsSubject(archived) }] : [],
    }
  },
  beforeRoomFileChange,
)
