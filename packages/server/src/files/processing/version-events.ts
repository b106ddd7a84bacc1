import type { LockedFile, VersionRow } from '../file-store.ts'
import { fileEvents } from '../file-view.ts'

/** An event about what became of a version, in each Room that has the File. */
export const versionEvents = <Type extends 'file.ready' | 'file.failed'>(
  type: Type,
  file: Pick<LockedFile, 'file_id' | 'name' | 'room_ids'>,
  { file_version_id, version_number, processing_error }: VersionRow,
) =>
  fileEvents(type, file, {
    file_version_id,
    version_number,
    ...(processing_error !== null && { processing_error }),
  })
