import { read, type Reader } from '../../database/statement.ts'

/** The File in a Room that a permission is, or was, about. */
export const roomFileOfPermission = (reader: Reader, workspace_id: string, permission_id: string) =>
  reader.one(roomFileByPermission, [workspace_id, permission_id])

const roomFileByPermission = read<{ room_file_id: string }>(
  'room_file_of_permission',
  'select room_file_id from room_file_permissions where workspace_id = $1 and id = $2',
)
