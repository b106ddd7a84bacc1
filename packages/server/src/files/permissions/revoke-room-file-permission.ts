import { revokeRoomFilePermission } from '@wbs/contract/files/room-file-permissions'
import { implement } from '../../call/implement.ts'
import { viewerOf } from '../../rooms/room-access.ts'
import { beforeRoomFileChange, openRoomFile } from '../room-files/room-file-access.ts'
import { roomFileAsSubject } from '../room-files/room-file-view.ts'
import { revokePermission } from './permission-change-store.ts'
import { permissionById } from './permission-store.ts'
import { permissionInEvent, permissionResource, presentPermission } from './permission-view.ts'

export const handleRevokeRoomFilePermission = implement(
  revokeRoomFilePermission,
  async function revokeRoomFilePermission({ room_file_id, permission_id }, context) {
    const { tx, now, refuse } = context
    // Access can be taken away in an archived Room too.
    const { room, room_file } = await openRoomFile(context, room_file_id, 'full_access')
    const permission = await permissionById(tx, viewerOf(context), room, room_file, permission_id)
    if (!permission) throw refuse.not_found('There is no such permission on the File in the Room.')
    if (permission.status === 'revoked')
      throw refuse.state_conflict('The permission has been revoked, or has ended.', {
        current_status: 'revoked',
      })
    const revoked = revokePermission(tx, room_file, permission, now)
    return {
      result: { permission: presentPermission(revoked) },
      resource: permissionResource(revoked),
      changed: ['status'],
      events: [
        { type: 'file.permission_revoked', ...roomFileAsSubject(room_file), ...permissionInEvent(revoked) },
      ],
    }
  },
  beforeRoomFileChange,
)
