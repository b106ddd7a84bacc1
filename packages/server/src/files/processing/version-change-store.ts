import type { ProcessingError } from '@wbs/contract/files/version-schema'
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
  tx.save(versionStored, { workspace_id, file_version_id: version.file_version_id, sha256 })
  return { ...version, sha256, processing_status: 'processing', processing_error: null }
}

export function saveFailedVersion(
  tx: Transaction,
  { workspace_id }: { workspace_id: string },
  version: VersionRow,
  processing_error: ProcessingError,
): VersionRow {
  tx.save(versionFailed, { workspace_id, file_version_id: version.file_version_id, processing_error })
  return { ...version, processing_status: 'failed', processing_error }
}

const versionStored = write(
  'file_version_stored',
  `update file_versions set sha256 = :sha256, processing_status = 'processing', processing_error = null, text_status = 'pending'
   where workspace_id = :workspace_id and id = :file_version_id`,
)

const versionFailed = write(
  'file_version_failed',
  `update file_versions set processing_status = 'failed', processing_error = :processing_error, text_status = 'none'
   where workspace_id = :workspace_id and id = :file_version_id`,
)
