import { read, type Reader } from '../../database/statement.ts'
import { guestFilesOf } from '../../rooms/room-store.ts'
import type { RoomRow } from '../../rooms/room-store.ts'
import type { Viewer } from '../../rooms/visibility/room-visibility-store.ts'
import { isActiveSql, membershipLastsSql } from '../../rooms/visibility/room-visibility-store.ts'
import type { Place } from './room-file-cursor.ts'
import { roomFileColumnsSql, type RoomFileRow } from './room-file-store.ts'

export interface RoomFileFilter {
  status: RoomFileRow['status'] | undefined
  under: string | undefined
}

/**
 * A page of the Files of a Room that the viewer can open, by index path and id. Each source is read in that order and only as
 * far as the page goes, so that a page costs the same however many Files are hidden from the viewer.
 */
export function roomFilesPage(
  reader: Reader,
  { workspace_id, user_id, is_member }: Pick<Viewer, 'workspace_id' | 'user_id' | 'is_member'>,
  room: Pick<RoomRow, 'room_id' | 'access_level' | 'guest_files' | 'participant_visibility'>,
  { status, under }: RoomFileFilter,
  { after, limit }: { after: Place | null; limit: number },
): Promise<RoomFileRow[]> {
  const pages = status === 'archived' ? archivedPages : presentPages
  const statement = room.access_level === 'full_access' ? pages.full : pages.shared
  const keepsApart = guestFilesOf(room) === 'uploader'
  // In a Room that keeps the Files of guests apart, guests change only what they brought.
  const onOthers = keepsApart && !is_member ? 'view' : room.access_level
  const from = after ?? { index_path: under === undefined ? '' : `${under}/`, room_file_id: '' }
  return reader.many(statement, {
    workspace_id,
    viewer_id: user_id,
    room_id: room.room_id,
    room_level: room.access_level,
    after_path: from.index_path,
    after_id: from.room_file_id,
    folder: under === undefined ? null : `${under}/`,
    // In the collation "C", the character after a slash is a zero, so this is where the folder ends.
    folder_end: under === undefined ? null : `${under}0`,
    status: status === 'archived' ? null : status,
    limit,
    keeps_apart: keepsApart,
    level_on_others: onOthers,
  })
}

const inRangeSql = (
  row: string,
  id: string,
) => `(${row}.index_path, ${id}) > (:after_path::text, :after_id::text)
  and (:folder::text is null or ${row}.index_path >= :folder) and (:folder_end::text is null or ${row}.index_path < :folder_end)`

/** The Files of the Room that meet a condition, which must imply that of an index in the order of the list. */
const filesOfRoomSql = (condition: string, access_level = ':room_level') => `(
  select rf.*, ${access_level}::access_level as access_level from room_files rf
  where rf.workspace_id = :workspace_id and rf.room_id = :room_id and ${condition} and ${inRangeSql('rf', 'rf.id')}
    and (:status::text is null or rf.status = :status)
  order by rf.index_path, rf.id limit :limit)`

/** The Files of the Room that are not for everybody and that the viewer has a permission on, in the order of the list. */
const permittedFilesSql = (condition: string) => `(
  select rf.*, permission.access_level
  from (
    select one.index_path, one.room_file_id, one.access_level from room_file_permissions one
    where one.workspace_id = :workspace_id and one.user_id = :viewer_id and one.room_id = :room_id and one.status = 'active'
      and ${inRangeSql('one', 'one.room_file_id')}
      and (one.participant_id is null or one.participant_id = (select participant_id from holds))
      and (one.membership_id is null or one.membership_id = (select membership_id from holds))
    order by one.index_path, one.room_file_id
  ) permission cross join lateral (
    select one.* from room_files one where one.workspace_id = :workspace_id and one.id = permission.room_file_id offset 0
  ) rf
  where ${condition} and (rf.access_mode = 'restricted' or rf.guest_id <> :viewer_id and :keeps_apart::boolean) and (:status::text is null or rf.status = :status)
  order by permission.index_path, permission.room_file_id limit :limit)`

const pageSql = (ctes: string, sources: string) => `
  with ${ctes}page as materialized (
    select * from (${sources}) rf order by rf.index_path, rf.id limit :limit
  )
  select ${roomFileColumnsSql('rf.access_level')}
  from page rf cross join lateral (
    select one.* from files one where one.workspace_id = :workspace_id and one.id = rf.file_id offset 0
  ) f
  order by rf.index_path, rf.id`

/**
 * For those with full access to the Room, and for others, who see what everybody does, what they have a permission on and, where
 * the Room keeps the Files of guests apart, what they brought.
 */
const pagesOf = (
  name: string,
  condition: { full: string; everybody: (access_level: string) => string; permitted: string },
) => ({
  full: read<RoomFileRow>(
    `${name}_of_manager`,
    pageSql('', `select * from ${filesOfRoomSql(condition.full)} rf`),
    'long',
  ),
  shared: read<RoomFileRow>(
    name,
    pageSql(
      // A permission is in force as long as the viewer has the participation and membership that it was granted with.
      `holds as materialized (
         select (
           select part.id from room_participants part
           where part.workspace_id = :workspace_id and part.room_id = :room_id and part.user_id = :viewer_id
             and ${isActiveSql('part')} and ${membershipLastsSql('part')}) as participant_id, (
           select m.id from memberships m
           where m.workspace_id = :workspace_id and m.user_id = :viewer_id and m.status = 'active') as membership_id), `,
      `select * from ${filesOfRoomSql(`${condition.everybody(':level_on_others')} and rf.guest_id is null`, ':level_on_others')} everybody
       union all select * from ${filesOfRoomSql(`${condition.everybody(':room_level')} and rf.guest_id is not null and not :keeps_apart::boolean`)} of_guests
       union all select * from ${filesOfRoomSql(`${condition.everybody(':room_level')} and rf.guest_id = :viewer_id and :keeps_apart::boolean`)} own
       union all select * from ${permittedFilesSql(condition.permitted)} permitted`,
    ),
    'long',
  ),
})

const presentPages = pagesOf('room_files', {
  full: `rf.status <> 'archived'`,
  everybody: () => `rf.status <> 'archived' and rf.access_mode = 'inherit_room'`,
  permitted: `rf.status <> 'archived'`,
})

/** Archived ones are listed for those who may edit them. */
const archivedPages = pagesOf('room_files_archived', {
  full: `rf.status = 'archived'`,
  everybody: access_level =>
    `rf.status = 'archived' and rf.access_mode = 'inherit_room' and ${access_level}::access_level >= 'edit'`,
  permitted: `rf.status = 'archived' and permission.access_level >= 'edit'`,
})
