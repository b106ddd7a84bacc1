// SQL expressions for the level of a viewer on a File in a Room, to be used inside statements.
import { basisLastsSql } from './basis-store.ts'
import { viewerParameters, type ViewerSql } from './room-visibility-store.ts'

/** Whether the row of room_file_permissions is in force. */
export const permissionLastsSql = (permission: string) =>
  `${permission}.status = 'active' and ${basisLastsSql(permission)}`

/** The level that a permission on the File in the Room gives the viewer, or null. */
export const permissionLevelSql = (
  room_file: string,
  { user_id }: Pick<ViewerSql, 'user_id'> = viewerParameters,
) =>
  `(select permission.access_level from permission_on_room_file(:workspace_id, ${room_file}.id, ${user_id}) permission)`

/** Whether a Room shows the Files that guests brought into it to them and to managers alone. */
const keepsGuestFilesSql = (room: string) =>
  `keeps_guest_files(${room}.guest_files, ${room}.participant_visibility)`

/** Whether the File in the Room is open to all of the Room, or was brought by this user. Null of a user is nobody. */
export const isOpenInRoomSql = (room_file: string, room: string, user_id: string) =>
  `is_open_in_room(${room_file}.access_mode, ${room_file}.guest_id, ${user_id}, ${keepsGuestFilesSql(room)})`

/** How the row of a File in a Room counts now: a Room that keeps the Files of guests restricts them. */
export const accessModeSql = (room_file: string) => `case when ${room_file}.guest_id is not null and exists (
  select from rooms keeping
  where keeping.workspace_id = :workspace_id and keeping.id = ${room_file}.room_id and ${keepsGuestFilesSql('keeping')} offset 0)
  then 'restricted' else ${room_file}.access_mode end`

/**
 * The level of the viewer on the File in the Room, or null, as a row for a `from`; `room_level` is a column with their level in
 * the Room.
 */
export const roomFileLevelRowSql = (room_file: string, room: string, room_level: string) =>
  `level_on_room_file(:workspace_id, :viewer_id, :is_member, ${room_level}, ${keepsGuestFilesSql(room)},
     ${room_file}.id, ${room_file}.access_mode, ${room_file}.guest_id, ${room_file}.status)`

/**
 * Whether a Room has, or had, Files that are not for everybody in it. Without the first `offset 0`, a page of the Files of a guest
 * takes 823 buffers instead of 697; until there are statistics, 1,018 instead of 607.
 */
export const hasRestrictedFilesSql = (room: string) => `(exists (
  select from room_files restricted
  where restricted.workspace_id = :workspace_id and restricted.room_id = ${room}.id and restricted.access_mode = 'restricted'
  offset 0) or ${keepsGuestFilesSql(room)} and exists (
  select from room_files brought
  where brought.workspace_id = :workspace_id and brought.room_id = ${room}.id and brought.guest_id is not null
  offset 0))`

/**
 * The restricted attachment that decides who may know of a File in a Room, as rows of room_files for a `from`: the present
 * one, or the last one if the File has left the Room. No row if that is not restricted.
 */
export const decisiveRestrictionSql = (room_id: string, file_id: string) => `(
  select restricted.* from room_files restricted
  where restricted.workspace_id = :workspace_id and restricted.room_id = ${room_id} and restricted.file_id = ${file_id}
    and ${accessModeSql('restricted')} = 'restricted'
    and (restricted.status <> 'archived' or not exists (
      select from room_files later
      where later.workspace_id = :workspace_id and later.room_id = ${room_id} and later.file_id = ${file_id}
        and (later.status <> 'archived' or (later.attached_at, later.id) > (restricted.attached_at, restricted.id))
      offset 0))
  offset 0) restriction`

/** Whether a user may know of the restricted File: it is theirs, or they have a permission in force on it. */
export const mayKnowRestrictedSql = (restriction: string, user_id: string) => `(
  ${restriction}.access_mode = 'inherit_room' and ${restriction}.guest_id = ${user_id}
  or ${permissionLevelSql(restriction, { user_id })} is not null)`

/** Whether a user without full access to the Room may know of a File there: it is not restricted, or it is for them too. */
export const mayKnowFileSql = (room_id: string, file_id: string, user_id: string) => `not exists (
  select from ${decisiveRestrictionSql(room_id, file_id)}
  where (${mayKnowRestrictedSql('restriction', user_id)}) is not true)`
