import type { Id } from '@wbs/contract/ids'
import type { AccessLevel } from '@wbs/contract/scopes'
import { read, type Reader } from '../../database/statement.ts'
import { accessModeSql, roomFileLevelRowSql } from '../../rooms/visibility/room-file-visibility-store.ts'
import {
  levelInSql,
  levelRowSql,
  asViewer,
  type Viewer,
} from '../../rooms/visibility/room-visibility-store.ts'
import { roomByIdSql } from '../../rooms/visibility/visible-rooms-store.ts'
import { filesInRoomSql } from '../file-place-store.ts'
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

declare const level: unique symbol

/**
 * A File in a Room that was opened for a change: the Room and the File are locked, and the caller's level was checked under
 * these locks. Functions that save one require this type, and only room-file-access.ts returns it.
 */
export type OpenedRoomFile<Level extends AccessLevel> = RoomFileRow & { readonly [level]: Level }

/** What a change of a File in a Room depends on in the Room. */
export interface RoomOfFile {
  status: 'active' | 'archived'
  parent_status: 'active' | 'archived' | null
  /** Whether the viewer can see all participants of the Room. */
  shows_participants: boolean
}

/** The columns of a RoomFileRow from the rows `rf` of room_files and `f` of files. */
export const roomFileColumnsSql = (access_level: string) => `
  rf.workspace_id, rf.id as room_file_id, rf.room_id, rf.index_path, rf.display_name, ${accessModeSql('rf')} as access_mode, rf.status, rf.revision,
  rf.attached_at, rf.updated_at, rf.archived_at, ${access_level} as access_level,
  (select to_jsonb(file) - 'workspace_id' from (select ${fileColumnsSql(access_level, 'in JSON')}) file) as file`

/** A File in a Room that the viewer can see. */
export const roomFileById = (
  reader: Reader,
  viewer: Viewer,
  room_file_id: string,
): Promise<RoomFileRow | undefined> => reader.one(visibleRoomFileById, { ...asViewer(viewer), room_file_id })

/** A File in a Room that the viewer can see, with its Room. */
export const roomFileWithRoom = (
  reader: Reader,
  viewer: Viewer,
  room_file_id: string,
): Promise<(RoomFileRow & { room: RoomOfFile }) | undefined> =>
  reader.one(visibleRoomFileWithRoom, { ...asViewer(viewer), room_file_id })

/** The File in a Room `:room_file_id`, if the viewer can see it. */
export const visibleRoomFileSql = `
  room_files rf
  cross join lateral ${roomByIdSql('rf.room_id', 'r')}
  cross join lateral ${levelRowSql('r')} as in_room (room_level)
  cross join lateral ${roomFileLevelRowSql('rf', 'r', 'in_room.room_level')} as there (access_level)
  where rf.workspace_id = :workspace_id and rf.id = :room_file_id and there.access_level is not null`

const visibleRoomFile = (columns = '') => `
  select ${roomFileColumnsSql('rf.access_level')}${columns}
  from (select rf.*, there.access_level, in_room.room_level from ${visibleRoomFileSql}) rf
  join files f on f.workspace_id = :workspace_id and f.id = rf.file_id`

const visibleRoomFileById = read<RoomFileRow>('room_file_visible', visibleRoomFile())

const visibleRoomFileWithRoom = read<RoomFileRow & { room: RoomOfFile }>(
  'room_file_visible_with_room',
  visibleRoomFile(`, (
    select jsonb_build_object('status', room.status, 'parent_status', parent.status, 'shows_participants',
      :is_member::boolean or room.participant_visibility = 'everyone' or rf.room_level = 'full_access')
    from rooms room left join rooms parent on parent.workspace_id = :workspace_id and parent.id = room.parent_id
    where room.workspace_id = :workspace_id and room.id = rf.room_id) as room`),
)

/** What matters when a File is added to a Room. */
export interface Place {
  /** The attachment of the File to the Room that has not been archived. */
  room_file_id: string | null
  /** How many Files the Room has, up to the most that it can have, and in how many Rooms the File is. */
  files: number
  rooms: number
}

/** The place of a File in a Room that the viewer can see. */
export const placeOf = (
  reader: Reader,
  viewer: Viewer,
  { room_id, file_id }: { room_id: string; file_id: string },
): Promise<Place | undefined> => reader.one(placeInVisibleRoom, { ...asViewer(viewer), room_id, file_id })

// Nothing is counted in a Room that the viewer cannot see: the time would reveal how many Files it has.
const placeInVisibleRoom = read<Place>(
  'room_file_place',
  `select
     (select rf.id from room_files rf
      where rf.workspace_id = :workspace_id and rf.room_id = r.id and rf.file_id = :file_id and rf.status <> 'archived') as room_file_id,
     ${filesInRoomSql('r')} as files,
     (select count(*)::integer from room_files rf
      where rf.workspace_id = :workspace_id and rf.file_id = :file_id and rf.status <> 'archived') as rooms
   from rooms r where r.workspace_id = :workspace_id and r.id = :room_id and ${levelInSql('r')} is not null`,
)
