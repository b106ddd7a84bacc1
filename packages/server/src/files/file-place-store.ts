import type { AccessLevel } from '@wbs/contract/scopes'
import { read, type Reader } from '../database/statement.ts'
import {
  canReadBusinessSql,
  levelInSql,
  asViewer,
  type Viewer,
} from '../rooms/visibility/room-visibility-store.ts'

export const mostFilesInRoom = 20_000

/** A Business that the viewer can read as a member, and the level of the Workspace on it; null if it is not linked. */
export const businessForFiles = (
  reader: Reader,
  viewer: Viewer,
  business_id: string,
): Promise<{ access_level: AccessLevel | null } | undefined> =>
  reader.one(readableBusiness, { ...asViewer(viewer), business_id })

const readableBusiness = read<{ access_level: AccessLevel | null }>(
  'file_business_readable',
  `select w.access_level
   from businesses b
   left join workspace_businesses w on w.workspace_id = :workspace_id and w.business_id = b.id and w.removed_at is null
   where b.id = :business_id and :is_member::boolean and ${canReadBusinessSql('b.id')}`,
)

/** How many Files a Room has, counted up to the most that it can have. */
export const filesInRoomSql = (room: string) => `(
  select count(*)::integer from (
    select from room_files rf
    where rf.workspace_id = :workspace_id and rf.room_id = ${room}.id and rf.status <> 'archived' limit ${mostFilesInRoom}) counted)`

/** How many Files a Room has that the viewer can see. */
export const countFilesInRoom = async (reader: Reader, viewer: Viewer, room_id: string): Promise<number> =>
  (await reader.one(filesInVisibleRoom, { ...asViewer(viewer), room_id }))?.files ?? 0

// Nothing is counted in a Room that the viewer cannot see: the time would reveal how many Files it has.
const filesInVisibleRoom = read<{ files: number }>(
  'room_files_counted',
  `select ${filesInRoomSql('r')} as files
   from rooms r where r.workspace_id = :workspace_id and r.id = :room_id and ${levelInSql('r')} is not null`,
)
