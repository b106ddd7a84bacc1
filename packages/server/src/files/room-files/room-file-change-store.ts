import { newUnorderedId } from '@wbs/contract/ids'
import { updateRevision, write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { guestFilesOf } from '../../rooms/room-store.ts'
import type { OpenedRoom } from '../../rooms/room-store.ts'
import type { Viewer } from '../../rooms/visibility/room-visibility-store.ts'
import type { FileRow } from '../file-store.ts'
import type { OpenedRoomFile, RoomFileRow } from './room-file-store.ts'

/** Adds a File to a Room: pending until its first version is ready. One that a guest brings remains theirs. */
export function insertRoomFile(
  tx: Transaction,
  { user_id, is_member }: Pick<Viewer, 'user_id' | 'is_member'>,
  room: OpenedRoom<'edit'>,
  { workspace_id, ...file }: FileRow,
  index_path: string,
  now: Date,
): RoomFileRow {
  const room_file_id = newUnorderedId('rfl', now.getTime())
  const { room_id, access_level } = room
  const status = file.current_version.processing_status === 'ready' ? 'active' : 'pending'
  const isGuests = !is_member && access_level !== 'full_access'
  tx.save(roomFileInsert, {
    workspace_id,
    room_file_id,
    room_id,
    file_id: file.file_id,
    index_path,
    status,
    attached_by: user_id,
    now,
    guest_id: isGuests ? user_id : null,
  })
  const at = now.toISOString()
  return {
    workspace_id,
    room_file_id,
    room_id,
    file: { ...file, access_level },
    index_path,
    display_name: null,
    access_mode: isGuests && guestFilesOf(room) === 'uploader' ? 'restricted' : 'inherit_room',
    status,
    revision: 1,
    attached_at: at,
    updated_at: at,
    archived_at: null,
    access_level,
  }
}

/** Revokes all permissions on a File in a Room, which is not restricted any more. */
export const revokeAllPermissions = (
  tx: Transaction,
  { workspace_id, room_file_id }: OpenedRoomFile<'edit' | 'full_access'>,
  now: Date,
): void => tx.save(permissionsRevoke, { workspace_id, room_file_id, now })

/** Saves the new place of a File in a Room with its permissions, which are listed by it. */
export const movePermissions = (
  tx: Transaction,
  { workspace_id, room_file_id, index_path }: OpenedRoomFile<'edit' | 'full_access'>,
): void => tx.save(permissionsMove, { workspace_id, room_file_id, index_path })

/**
 * Saves the place, the display name, the access mode and the status of a File in a Room as a new revision. The access mode is
 * saved only where it is chosen: the row shows the one that counts now. Once it is chosen, it says who sees the File, whoever
 * brought it.
 */
export function saveRoomFile<Row extends OpenedRoomFile<'edit' | 'full_access'>>(
  tx: Transaction,
  room_file: Row,
  now: Date,
  { chooses_access = false } = {},
): Row {
  const { workspace_id, room_file_id, index_path, display_name, access_mode, status } = room_file
  const archived_at = status === 'archived' ? (room_file.archived_at ?? now.toISOString()) : null
  tx.save(roomFileSave, {
    workspace_id,
    room_file_id,
    index_path,
    display_name,
    access_mode: chooses_access ? access_mode : null,
    status,
    now,
    archived_at,
    revision: room_file.revision,
  })
  return { ...room_file, revision: room_file.revision + 1, updated_at: now.toISOString(), archived_at }
}

const roomFileInsert = write(
  'room_file_insert',
  `insert into room_files (workspace_id, id, room_id, file_id, index_path, status, attached_by, attached_at, updated_at,
     guest_id)
   values (:workspace_id, :room_file_id, :room_id, :file_id, :index_path, :status, :attached_by, :now, :now, :guest_id)`,
)

const roomFileSave = updateRevision(
  'room_file_save',
  `update room_files set index_path = :index_path, display_name = :display_name, access_mode = coalesce(:access_mode, access_mode), status = :status,
     guest_id = case when :access_mode::text is null then guest_id end, revision = revision + 1,
     updated_at = :now, archived_at = :archived_at
   where workspace_id = :workspace_id and id = :room_file_id and revision = :revision`,
)

const permissionsRevoke = write(
  'room_file_permissions_revoke',
  `update room_file_permissions set status = 'revoked', updated_at = :now
   where workspace_id = :workspace_id and room_file_id = :room_file_id and status = 'active'`,
)

const permissionsMove = write(
  'room_file_permissions_move',
  `update room_file_permissions set index_path = :index_path where workspace_id = :workspace_id and room_file_id = :room_file_id and status = 'active'`,
)
