import type { VisibilityChecks } from '../call/commands/visibility.ts'
import { viewerOf } from '../rooms/room-access.ts'
import { fileById } from './file-store.ts'
import { roomFileById } from './room-files/room-file-store.ts'
import { roomFileOfPermission } from './permissions/permission-store.ts'

/** Whether a caller can see the File, the File in a Room or the permission that a receipt names. */
export const fileVisibility: Pick<VisibilityChecks, 'file' | 'room_file' | 'room_file_permission'> = {
  async file(id, context) {
    return (await fileById(context.tx, viewerOf(context), id)) !== undefined
  },
  async room_file(id, context) {
    return (await roomFileById(context.tx, viewerOf(context), id)) !== undefined
  },
  async room_file_permission(id, context) {
    const found = await roomFileOfPermission(context.tx, context.standing.workspace_id, id)
    if (!found) return false
    const room_file = await roomFileById(context.tx, viewerOf(context), found.room_file_id)
    return room_file?.access_level === 'full_access'
  },
}
