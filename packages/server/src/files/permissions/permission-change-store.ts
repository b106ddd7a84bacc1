import { randomUUIDv7 } from 'node:crypto'
import type { AccessLevel } from '@wbs/contract/scopes'
import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { OpenedRoomFile } from '../room-files/room-file-store.ts'
import type { Basis } from '../../rooms/visibility/basis-store.ts'
import type { PermissionRow } from './permission-store.ts'

/** A permission to grant. */
interface Grant {
  user_id: string
  access_level: AccessLevel
  granted_by: string
  basis: Pick<Basis, 'participant_id' | 'membership_id' | 'email' | 'name'>
}

/** Inserts a permission on a File in a Room. */
export function insertPermission(
  tx: Transaction,
  { workspace_id, room_file_id, room_id, index_path }: OpenedRoomFile<'full_access'>,
  { user_id, access_level, granted_by, basis }: Grant,
  now: Date,
): PermissionRow {
  const permission_id = randomUUIDv7()
  tx.save(permissionInsert, {
    workspace_id,
    permission_id,
    room_file_id,
    room_id,
    index_path,
    user_id,
    access_level,
    participant_id: basis.participant_id,
    membership_id: basis.membership_id,
    granted_by,
    now,
  })
  const at = now.toISOString()
  const of = { workspace_id, permission_id, room_file_id, user_id }
  return { ...of, ...basis, access_level, status: 'active', created_at: at, updated_at: at }
}

/** Replaces the level of a permission, and the participation or membership by which its user can open the Room. */
export function replacePermission(
  tx: Transaction,
  _: OpenedRoomFile<'full_access'>,
  permission: PermissionRow,
  { access_level, granted_by, basis }: Grant,
  now: Date,
): PermissionRow {
  tx.save(permissionReplace, {
    workspace_id: permission.workspace_id,
    permission_id: permission.permission_id,
    access_level,
    participant_id: basis.participant_id,
    membership_id: basis.membership_id,
    granted_by,
    now,
  })
  return { ...permission, ...basis, access_level, updated_at: now.toISOString() }
}

/** Revokes a permission on a File in a Room. */
export function revokePermission(
  tx: Transaction,
  _: OpenedRoomFile<'full_access'>,
  permission: PermissionRow,
  now: Date,
): PermissionRow {
  tx.save(permissionRevoke, {
    workspace_id: permission.workspace_id,
    permission_id: permission.permission_id,
    now,
  })
  return { ...permission, status: 'revoked', updated_at: now.toISOString() }
}

const permissionInsert = write(
  'room_file_permission_insert',
  `insert into room_file_permissions (workspace_id, id, room_file_id, room_id, index_path, user_id, access_level,
     participant_id, membership_id, granted_by, created_at, updated_at)
   values (:workspace_id, :permission_id, :room_file_id, :room_id, :index_path, :user_id, :access_level, :participant_id, :membership_id, :granted_by, :now, :now)`,
)

const permissionReplace = write(
  'room_file_permission_replace',
  `update room_file_permissions set access_level = :access_level, participant_id = :participant_id, membership_id = :membership_id, granted_by = :granted_by, updated_at = :now
   where workspace_id = :workspace_id and id = :permission_id`,
)

const permissionRevoke = write(
  'room_file_permission_revoke',
  `update room_file_permissions set status = 'revoked', updated_at = :now where workspace_id = :workspace_id and id = :permission_id`,
)
