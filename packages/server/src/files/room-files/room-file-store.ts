import type { Id } from '@wbs/contract/ids'
import type { AccessLevel } from '@wbs/contract/scopes'
import { read, type Reader } from '../../database/statement.ts'
import { roomFileLevelSql } from '../../rooms/visibility/room-file-visibility-store.ts'
import { levelInSql, viewerValues, type Viewer } from '../../rooms/visibility/room-visibility-store.ts'
import { roomByIdSql } from '../../rooms/visibility/visible-rooms-store.ts'
import { fileColumnsSql, type FileRow } from '../file-store.ts'

/** A File in a Room, as a viewer sees it. */
export interface RoomFileRow {
  workspace_id: string
  room_file_id: Id<'rfl'>
  room_id: Id<'rom'>
  /** With the level on the RoomFile, whatever other access the viewer has to the File. */
  file: Omit<FileRow, 'workspace_id'>
  index_path: string
  display_name: string | null
  access_mode: 'inherit_room' | 'restricted'
  status: 'pending' | 'active' | 'archived'
  revision: number
  attached_at: string
  updated_at: string
  archived_at: string | null
  access_level: AccessLevel
}

/** The columns of a RoomFileRow from the rows `rf` of room_files and `f` of files. */
export const roomFileColumnsSql = (access_level: string) => `
  rf.workspace_id, rf.id as room_file_id, rf.room_id, rf.index_path, rf.display_name, rf.access_mode, rf.status, rf.revision,
  rf.attached_at, rf.updated_at, rf.archived_at, ${access_level} as access_level,
  (select to_jsonb(file) - 'workspace_id' from (select ${fileColumnsSql(access_level, 'in JSON')}) file) as file`

/** A File in a Room that the viewer can see. */
export const roomFileById = (
  reader: Reader,
  viewer: Viewer,
  room_file_id: string,
): Promise<RoomFileRow | undefined> =>
  reader.one(visibleRoomFileById, [...viewerValues(viewer), room_file_id])

const visibleRoomFileById = read<RoomFileRow>(
  'room_file_visible',
  `select ${roomFileColumnsSql('there.access_level')}
   from room_files rf join files f on f.workspace_id = $1 and f.id = rf.file_id
   cross join lateral ${roomByIdSql('rf.room_id', 'r')}
   cross join lateral (select ${levelInSql('r')} as room_level offset 0) in_room
   cross join lateral (select ${roomFileLevelSql('rf', 'in_room.room_level')} as access_level offset 0) there
   where rf.workspace_id = $1 and rf.id = $5 and there.access_level is not null`,
)
