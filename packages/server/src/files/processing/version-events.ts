import type { LockedFile, VersionRow } from '../file-store.ts'
import { fileEvents } from '../file-view.ts'

type Told = Pick<LockedFile, 'file_id' | 'name' | 'room_ids'>

/** That a version is ready, in each Room that has the File. */
export const readyEvents = (file: Told, { file_version_id, version_number }: VersionRow) =>
  fileEvents('file.ready', file, { file_version_id, version_number })

/** That a version failed, and why, in each Room that has the File. */
export const failedEvents = (file: Told, { file_version_id, version_number, processing_error }: VersionRow) =>
  fileEvents('file.failed', file, {
    file_version_id,
    version_number,
    ...(processing_error !== null && { processing_error }),
  })
