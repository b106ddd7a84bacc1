import type { PermissionRow } from './permission-store.ts'

/** A permission for an answer. */
export const presentPermission = (row: PermissionRow) => ({
  permission_id: row.permission_id,
  room_file_id: row.room_file_id,
  user_id: row.user_id,
  email: row.email,
  access_level: row.access_level,
  status: row.status,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** The user of a permission, as the person whom an event concerns, and the level. */
export const permissionInEvent = ({ user_id, email, name, access_level }: PermissionRow) => ({
  about: { user_id, email, name },
  data: { access_level },
})

/** A permission as the resource of a receipt. */
export const permissionResource = ({ permission_id }: PermissionRow) => ({
  type: 'room_file_permission' as const,
  id: permission_id,
})
