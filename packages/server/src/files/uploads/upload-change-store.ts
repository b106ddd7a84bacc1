import type { Id } from '@wbs/contract/ids'
import type { ProcessingError } from '@wbs/contract/files/version-schema'
import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { VersionRow } from '../file-store.ts'
import type { UploadRow } from './upload-store.ts'

/** What a new upload is about. */
export type NewUpload = Pick<
  UploadRow,
  | 'workspace_id'
  | 'upload_id'
  | 'file_id'
  | 'part_size_bytes'
  | 'part_count'
  | 'reference'
  | 'created_by'
  | 'version'
>

export function insertUpload(tx: Transaction, upload: NewUpload, now: Date): UploadRow {
  const { file_version_id, size_bytes, sha256 } = upload.version
  tx.save(uploadInsert, [
    upload.workspace_id,
    upload.upload_id,
    upload.file_id,
    file_version_id,
    size_bytes,
    upload.part_size_bytes,
    upload.part_count,
    upload.reference,
    upload.created_by,
    now,
  ])
  return {
    ...upload,
    file_version_id,
    size_bytes,
    status: 'open',
    created_at: now.toISOString(),
    ended_at: null,
    declared_sha256: sha256,
  }
}

/** Ends an open upload. */
export function endUpload(
  tx: Transaction,
  upload: UploadRow,
  status: 'completed' | 'aborted' | 'expired',
  now: Date,
): UploadRow {
  tx.save(uploadEnd, [upload.workspace_id, upload.upload_id, status, now])
  return { ...upload, status, ended_at: now.toISOString() }
}

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

const uploadInsert = write(
  'upload_insert',
  `insert into file_uploads (workspace_id, id, file_id, file_version_id, size_bytes, part_size_bytes, part_count, reference,
     created_by, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
)

const uploadEnd = write(
  'upload_end',
  'update file_uploads set status = $3, ended_at = $4 where workspace_id = $1 and id = $2',
)

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
