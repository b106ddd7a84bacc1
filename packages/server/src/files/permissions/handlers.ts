import { handleListRoomFilePermissions } from './list-room-file-permissions.ts'
import { handleRevokeRoomFilePermission } from './revoke-room-file-permission.ts'
import { handleSetRoomFilePermission } from './set-room-file-permission.ts'

/** The handlers of this noun. Add a line for each new handler. */
export const permissionHandlers = [
  handleListRoomFilePermissions,
  handleRevokeRoomFilePermission,
  handleSetRoomFilePermission,
]
