// SQL expressions for the level of a viewer on a File, to be used inside statements. They have the parameters of asViewer.
import { roomFileLevelRowSql } from '../rooms/visibility/room-file-visibility-store.ts'
import { canReadBusinessSql, isActiveSql, levelRowSql } from '../rooms/visibility/room-visibility-store.ts'
import { roomByIdSql } from '../rooms/visibility/visible-rooms-store.ts'

/** Whether the viewer created the File as the member that they still are. */
const isOwnSql = (file: string) => `(
  ${file}.created_by = :viewer_id and ${file}.membership_id is not null and exists (
    select from memberships held
    where held.workspace_id = :workspace_id and held.id = ${file}.membership_id and held.status = 'active'
    offset 0))`

/** Whether the File belongs to a Business that the viewer can read as a member. */
const isOfReadableBusinessSql = (file: string) => `(
  :is_member::boolean and :reads_businesses::boolean and ${file}.business_id is not null and ${canReadBusinessSql(`${file}.business_id`)})`

/** The Rooms that have the File, with the viewer's level on it there. `rf` is the row of room_files, `r` the Room. */
export const roomsOfFileSql = (file: string) => `room_files rf
  cross join lateral ${roomByIdSql('rf.room_id', 'r')}
  cross join lateral ${levelRowSql('r')} as in_room (room_level)
  cross join lateral ${roomFileLevelRowSql('rf', 'r', 'in_room.room_level')} as there (access_level)
  where rf.workspace_id = :workspace_id and rf.file_id = ${file}.id and rf.status <> 'archived' and there.access_level is not null`

/** An archived Room, and a sub-room of one, is read-only, so no more than view follows from it. */
const levelFromRoomsSql = (file: string) => `(
  select max(case when r.status = 'archived' or exists (
      select from rooms parent where parent.workspace_id = :workspace_id and parent.id = r.parent_id and parent.status = 'archived' offset 0)
    then least(there.access_level, 'view') else there.access_level end)
  from ${roomsOfFileSql(file)})`

/** The level of the viewer on the File, or null if they cannot see it. */
export const fileLevelSql = (file: string) => `greatest(
  case when ${isOwnSql(file)} then 'full_access'::access_level end,
  ${levelFromRoomsSql(file)},
  case when ${isOfReadableBusinessSql(file)} then 'view'::access_level end)`

/**
 * Whether the viewer may download a File that they can see: it is theirs, or of a Business that they can read, or a Room has
 * it in which their participation does not forbid it.
 */
export const mayDownloadSql = (file: string) => `(
  ${isOwnSql(file)} or ${isOfReadableBusinessSql(file)} or exists (
    select from ${roomsOfFileSql(file)} and not exists (
      select from room_participants part
      where part.workspace_id = :workspace_id and part.room_id = r.id and part.user_id = :viewer_id and not part.can_download
        and ${isActiveSql('part')}
      offset 0)))`
