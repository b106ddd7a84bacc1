import type { FileRow, VersionRow } from '../file-store.ts'
import { fileAsSubject } from '../file-view.ts'

/** An event about a version of a File in each Room that has the File. */
export const versionEvents = <Type extends 'file.ready' | 'file.failed'>(
  type: Type,
  file: Pick<FileRow, 'file_id' | 'name'>,
  { file_version_id, version_number, processing_error }: VersionRow,
  room_ids: readonly string[],
) =>
  room_ids.map(room_id => ({
    type,
    ...fileAsSubject(file),
    room_id,
    data: { file_version_id, version_number, ...(processing_error !== null && { processing_error }) },
  }))
