import type { ProcessingError } from '@wbs/contract/files/version-schema'
import type { Id } from '@wbs/contract/ids'
import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { VersionRow } from '../file-store.ts'

/** Makes a version wait for its processing: its content is stored. */
export function saveStoredVersion(
  tx: Transaction,
  { workspace_id }: { workspace_id: string },
  version: VersionRow,
  sha256: string,
): VersionRow {
  tx.save(versionStored, [workspace_id, version.file_version_id, sha256])
  return { ...version, sha256, processing_status: 'processing', processing_error: null }
}

export function saveFailedVersion(
  tx: Transaction,
  { workspace_id }: { workspace_id: string },
  version: VersionRow,
  processing_error: ProcessingError,
): VersionRow {
  tx.save(versionFailed, [workspace_id, version.file_version_id, processing_error])
  return { ...version, processing_status: 'failed', processing_error }
}

/** A File whose current version, as it is shown, has changed. */
type ChangedFile = {
  workspace_id: string
  file_id: Id<'fil'>
  revision: number
  updated_at: string
  current_version: VersionRow
}

/** Makes a version the current one, or saves that the current one has changed, as a new revision of the File. */
export function saveCurrentVersion<Row extends ChangedFile>(
  tx: Transaction,
  file: Row,
  version: VersionRow,
  now: Date,
): Row {
  tx.save(fileVersionCurrent, [file.workspace_id, file.file_id, version.file_version_id, now])
  return {
    ...file,
    current_version: version,
    revision: file.revision + 1,
    updated_at: now.toISOString(),
  }
}

const versionStored = write(
  'file_version_stored',
  `update file_versions set sha256 = $3, processing_status = 'processing', processing_error = null, text_status = 'pending'
   where workspace_id = $1 and id = $2`,
)

const versionFailed = write(
  'file_version_failed',
  `update file_versions set processing_status = 'failed', processing_error = $3, text_status = 'none'
   where workspace_id = $1 and id = $2`,
)

const fileVersionCurrent = write(
  'file_current_version_save',
  `update files set current_version_id = $3, revision = revision + 1, updated_at = $4 where workspace_id = $1 and id = $2`,
)
