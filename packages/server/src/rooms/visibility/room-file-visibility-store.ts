// SQL expressions for the level of a viewer on a File in a Room, to be used inside statements. $1 to $4 are the viewer.
import { basisLastsSql } from './basis-store.ts'
import { viewerParameters, type ViewerSql } from './room-visibility-store.ts'

/**
 * Whether the row of room_file_permissions is in force: it is active, and so is that by which the user could open the Room
 * when it was granted.
 */
export const permissionLastsSql = (permission: string) =>
  `${permission}.status = 'active' and ${basisLastsSql(permission)}`

/** The level that a permission on the File in the Room gives the viewer, or null. */
export const permissionLevelSql = (
  room_file: string,
  { user_id }: Pick<ViewerSql, 'user_id'> = viewerParameters,
) => `(
  select permission.access_level from room_file_permissions permission
  where permission.workspace_id = $1 and permission.room_file_id = ${room_file}.id and permission.user_id = ${user_id}
    and ${permissionLastsSql('permission')})`

/**
 * The level of the viewer on the File in the Room, or null; `room_level` is their level in the Room. A restricted File is for
 * those with a permission and those with full access to the Room. An archived one is only for those who may edit it.
 */
export const roomFileLevelSql = (
  room_file: string,
  room_level: string,
  viewer: ViewerSql = viewerParameters,
) => `(
  select level.level from (
    select case
      when ${room_level} = 'full_access' or ${room_file}.access_mode = 'inherit_room' then ${room_level}
      when ${room_level} is not null then ${permissionLevelSql(room_file, viewer)}
    end as level offset 0
  ) level
  where ${room_file}.status <> 'archived' or level.level >= 'edit')`

/** Whether a Room has, or had, restricted Files. */
export const hasRestrictedFilesSql = (room: string) => `exists (
  select from room_files restricted
  where restricted.workspace_id = $1 and restricted.room_id = ${room}.id and restricted.access_mode = 'restricted'
  offset 0)`

/**
 * The restricted attachment that decides who may know of a File in a Room, as rows of room_files for a `from`: the present
 * one, or the last one if the File has left the Room. No row if that is not restricted.
 */
export const decisiveRestrictionSql = (room_id: string, file_id: string) => `(
  select restricted.* from room_files restricted
  where restricted.workspace_id = $1 and restricted.room_id = ${room_id} and restricted.file_id = ${file_id}
    and restricted.access_mode = 'restricted'
    and (restricted.status <> 'archived' or not exists (
      select from room_files later
      where later.workspace_id = $1 and later.room_id = ${room_id} and later.file_id = ${file_id}
        and (later.status <> 'archived' or (later.attached_at, later.id) > (restricted.attached_at, restricted.id))
      offset 0))
  offset 0) restriction`

/**
 * Whether a user without full access to the Room may know of a File there: it is not restricted, or they have a permission
 * in force on it.
 */
export const mayKnowFileSql = (room_id: string, file_id: string, user_id: string) => `not exists (
  select from ${decisiveRestrictionSql(room_id, file_id)}
  where ${permissionLevelSql('restriction', { user_id })} is null)`
