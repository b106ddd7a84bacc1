import type { Id } from '@wbs/contract/ids'
import { read, type Reader } from '../../database/statement.ts'
import { fileLevelSql } from '../../files/file-visibility-store.ts'
import { asViewer, type Viewer } from '../../rooms/visibility/room-visibility-store.ts'
import { fileByIdSql, type TaskRow } from '../task-store.ts'

/** A File that a Task or a comment names. */
export interface NamedFileRow {
  file_id: Id<'fil'>
  name: string
}

/**
 * Those of the Files that a Task can take from the viewer: active, with ready content, open to the viewer and, for a Task in a
 * Room, in that Room.
 */
export const filesForTask = (
  reader: Reader,
  viewer: Viewer,
  { room_id }: Pick<TaskRow, 'room_id'>,
  file_ids: readonly string[],
): Promise<NamedFileRow[]> => reader.many(filesToName, { ...asViewer(viewer), room_id, file_ids })

/** Whether one of the Files that were added to a Task still counts: it is active and, for a Task in a Room, still there. */
export const hasEvidence = async (
  reader: Reader,
  { workspace_id, room_id, evidence }: TaskRow,
): Promise<boolean> =>
  (await reader.one(countingFile, {
    workspace_id,
    room_id,
    file_ids: evidence.map(({ file_id }) => file_id),
  })) !== undefined

const isInRoomSql = (room_id: string) => `(${room_id}::text is null or exists (
  select from room_files rf
  where rf.workspace_id = :workspace_id and rf.room_id = ${room_id} and rf.file_id = f.id and rf.status = 'active'))`

const filesToName = read<NamedFileRow>(
  'task_files_to_name',
  `select f.id as file_id, f.name
   from unnest(:file_ids::text[]) as named (id) cross join lateral ${fileByIdSql('named.id')}
   where f.lifecycle = 'active' and ${isInRoomSql(':room_id')}
     and exists (
       select from file_versions v
       where v.workspace_id = :workspace_id and v.id = f.current_version_id and v.processing_status = 'ready')
     and ${fileLevelSql('f')} is not null`,
)

const countingFile = read<object>(
  'task_evidence_counting',
  `select from unnest(:file_ids::text[]) as named (id) cross join lateral ${fileByIdSql('named.id')}
   where f.lifecycle = 'active' and ${isInRoomSql(':room_id')} limit 1`,
)
