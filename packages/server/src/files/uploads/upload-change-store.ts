import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
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
