// SQL expressions for the level of a viewer on a File in a Room, to be used inside statements. $1 to $4 are the viewer.
import { isActiveSql, membershipLastsSql, viewerParameters, type ViewerSql } from './room-visibility-store.ts'

/**
 * Whether the row of room_file_permissions is in force: it is active, and so is that by which the user could open the Room
 * when it was granted.
 */
export const permissionLastsSql = (permission: string) => `${permission}.status = 'active'
  and (${permission}.participant_id is null or exists (
    select from room_participants then_in
    where then_in.workspace_id = $1 and then_in.room_id = ${permission}.room_id and then_in.id = ${permission}.participant_id
      and ${isActiveSql('then_in')} and ${membershipLastsSql('then_in')}
    offset 0))
  and (${permission}.membership_id is null or exists (
    select from memberships held
    where held.workspace_id = $1 and held.id = ${permission}.membership_id and held.status = 'active'
    offset 0))`

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
