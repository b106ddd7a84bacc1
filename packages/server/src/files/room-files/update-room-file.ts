import { updateRoomFile } from '@wbs/contract/files/room-files'
import { implement } from '../../call/implement.ts'
import { requireRevision } from '../../call/revision.ts'
import { requireActive } from '../../rooms/room-access.ts'
import {
  beforeRoomFileChange,
  openRoomFile,
  requireInRoom,
  requireRoomFileLevel,
} from './room-file-access.ts'
import { movePermissions, revokeAllPermissions, saveRoomFile } from './room-file-change-store.ts'
import { presentRoomFile, roomFileAsSubject } from './room-file-view.ts'

export const handleUpdateRoomFile = implement(
  updateRoomFile,
  async function updateRoomFile({ room_file_id, expected_revision, ...changes }, context) {
    const { tx, now, refuse } = context
    const { room, room_file } = await openRoomFile(context, room_file_id, 'edit')
    if (changes.access_mode) requireRoomFileLevel(room_file, 'full_access', refuse)
    requireActive(room, refuse)
    requireInRoom(room_file, refuse)
    const edited = { ...room_file, ...changes }
    const changed = editable.filter(field => edited[field] !== room_file[field])
    requireRevision(room_file, expected_revision, changed, refuse)
    const chooses_access = changed.includes('access_mode')
    const saved = changed.length > 0 ? saveRoomFile(tx, edited, now, { chooses_access }) : room_file
    if (chooses_access) revokeAllPermissions(tx, saved, now)
    else if (changed.includes('index_path')) movePermissions(tx, saved)
    return {
      result: { room_file: presentRoomFile(saved) },
      revision: saved.revision,
      resource: { type: 'room_file', id: room_file_id },
      changed,
      events:
        changed.length > 0 ? [{ type: 'file.updated', ...roomFileAsSubject(saved), data: { changed } }] : [],
    }
  },
  beforeRoomFileChange,
)

const editable = ['index_path', 'display_name', 'access_mode'] as const
