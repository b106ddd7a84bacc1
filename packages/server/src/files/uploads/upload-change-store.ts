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
  tx.save(uploadInsert, {
    workspace_id: upload.workspace_id,
    upload_id: upload.upload_id,
    file_id: upload.file_id,
    file_version_id,
    size_bytes,
    part_size_bytes: upload.part_size_bytes,
    part_count: upload.part_count,
    reference: upload.reference,
    created_by: upload.created_by,
    now,
  })
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
  tx.save(uploadEnd, { workspace_id: upload.workspace_id, upload_id: upload.upload_id, status, now })
  return { ...upload, status, ended_at: now.toISOString() }
}

const uploadInsert = write(
  'upload_insert',
  `insert into file_uploads (workspace_id, id, file_id, file_version_id, size_bytes, part_size_bytes, part_count, reference,
     created_by, created_at)
   values (:workspace_id, :upload_id, :file_id, :file_version_id, :size_bytes, :part_size_bytes, :part_count, :reference, :created_by, :now)`,
)

const uploadEnd = write(
  'upload_end',
  'update file_uploads set status = :status, ended_at = :now where workspace_id = :workspace_id and id = :upload_id',
)
