import type { Id } from '@wbs/contract/ids'
import { read, type Reader } from '../../database/statement.ts'
import { roomFileLevelRowSql } from '../../rooms/visibility/room-file-visibility-store.ts'
import { levelRowSql, asViewer, type Viewer } from '../../rooms/visibility/room-visibility-store.ts'

/** What a Workspace has, and the limit that its admins set. */
export interface Usage {
  stored_bytes: number
  promised_bytes: number
  files: number
  storage_limit_bytes: number | null
}

export const usageOf = async (reader: Reader, workspace_id: string): Promise<Usage> =>
  (await reader.one(usageOfWorkspace, { workspace_id })) as Usage

/** The Files of a Room that the viewer can see. Without an id, those of all these Rooms together, each File once. */
export interface RoomUsage {
  room_id: Id<'rom'> | null
  title: string | null
  stored_bytes: number
  files: number
}

const mostRooms = 100
/** More are not read: each of them is judged, and what they have is sorted. */
const mostInRooms = 50_000

/** The Rooms with the most bytes, and a row for all of them together. None if there are too many Files in Rooms. */
export async function usageOfRooms(reader: Reader, viewer: Viewer, most = mostInRooms): Promise<RoomUsage[]> {
  const found = await reader.one(roomFilesCount, { workspace_id: viewer.workspace_id, limit: most + 1 })
  if (!found || found.count > most) return []
  return reader.many(usageByRoom, { ...asViewer(viewer), limit: mostRooms })
}

const usageOfWorkspace = read<Usage>(
  'storage_usage_of_workspace',
  `select coalesce(sum(u.stored_bytes), 0)::float8 as stored_bytes, coalesce(sum(u.promised_bytes), 0)::float8 as promised_bytes,
     coalesce(sum(u.files), 0)::float8 as files,
     (select w.storage_limit_bytes::float8 from workspaces w where w.id = :workspace_id) as storage_limit_bytes
   from storage_usage u where u.workspace_id = :workspace_id`,
)

const roomFilesCount = read<{ count: number }>(
  'storage_room_files_count',
  `select count(*)::integer as count
   from (select from room_files where workspace_id = :workspace_id and status <> 'archived' limit :limit) in_rooms`,
  'long',
)

const usageByRoom = read<RoomUsage>(
  'storage_usage_by_room',
  `with seen as materialized (
     select r.id as room_id, r.title, rf.file_id
     from rooms r
     cross join lateral ${levelRowSql('r')} as in_room (room_level)
     join room_files rf on rf.workspace_id = :workspace_id and rf.room_id = r.id and rf.status <> 'archived'
     cross join lateral ${roomFileLevelRowSql('rf', 'r', 'in_room.room_level')} as there (access_level)
     where r.workspace_id = :workspace_id and in_room.room_level is not null and there.access_level is not null
   ), sizes as materialized (
     select file_id, sum(size_bytes) as bytes from (
       select distinct v.file_id, v.sha256, v.size_bytes from file_versions v
       where v.workspace_id = :workspace_id and v.sha256 is not null and v.file_id in (select file_id from seen)
     ) contents group by file_id
   ), by_room as materialized (
     select room_id, title, coalesce(sum(bytes), 0) as stored_bytes, count(*) as files
     from seen left join sizes using (file_id) group by room_id, title
     order by stored_bytes desc, room_id limit :limit
   ), together as (
     select distinct seen.file_id, bytes from seen left join sizes using (file_id)
     where seen.room_id in (select room_id from by_room)
   )
   select room_id, title, stored_bytes::float8 as stored_bytes, files::float8 as files from by_room
   union all
   select null, null, coalesce(sum(bytes), 0)::float8, count(*)::float8 from together
   order by stored_bytes desc, room_id`,
  'long',
)
