import { listRoomFilePermissions } from '@wbs/contract/files/room-file-permissions'
import { implement } from '../../call/implement.ts'
import { pageOf } from '../../call/page.ts'
import { viewerOf } from '../../rooms/room-access.ts'
import { requireManagedRoomFile } from './permission-access.ts'
import { permissionsPage } from './permission-store.ts'
import { presentPermission } from './permission-view.ts'

export const handleListRoomFilePermissions = implement(
  listRoomFilePermissions,
  async function listRoomFilePermissions({ room_file_id, cursor: after = null, limit = 20 }, context) {
    const { read } = context
    const { room, room_file } = await requireManagedRoomFile(context, read, room_file_id)
    const page = { after, limit: limit + 1 }
    const rows = await permissionsPage(read, viewerOf(context), room, room_file, page)
    return { result: pageOf(rows.map(presentPermission), limit, permission => permission.permission_id) }
  },
)
