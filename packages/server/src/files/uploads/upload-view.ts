import type { BlobStore, StoredPart } from '../../blobs/blob-store.ts'
import { expiryOf, type UploadSettings } from './upload.ts'
import type { UploadRow } from './upload-store.ts'

/** What shows uploads. */
export interface UploadParts {
  blobs: BlobStore
  settings: UploadSettings
}

/** An upload with its parts, as it is at one moment: one that is past its expiry counts as expired. */
export interface CurrentUpload {
  upload: UploadRow
  parts: readonly StoredPart[]
  status: UploadRow['status']
  expires_at: Date
}

/** Reads the parts of an upload from the store. */
export async function lookAtUpload(
  { blobs, settings }: UploadParts,
  upload: UploadRow,
  now: Date,
): Promise<CurrentUpload> {
  if (upload.status !== 'open') return withoutParts(upload, settings)
  const parts = await blobs.uploads.parts(upload)
  const expires_at = expiryOf(upload, parts, settings)
  const status = expires_at <= now ? 'expired' : 'open'
  return { upload, parts: status === 'open' ? parts : [], status, expires_at }
}

export function presentUpload({ upload, parts, status, expires_at }: CurrentUpload) {
  const { upload_id, file_id, file_version_id, size_bytes, part_size_bytes, part_count } = upload
  return {
    upload_id,
    file_id,
    file_version_id,
    status,
    size_bytes,
    part_size_bytes,
    part_count,
    received_parts: parts.map(({ part_number, size_bytes, etag }) => ({ part_number, size_bytes, etag })),
    expires_at: expires_at.toISOString(),
  }
}

/** A new upload, or one that has ended, which has no parts in the store. */
export const presentUploadWithoutParts = (upload: UploadRow, settings: UploadSettings) =>
  presentUpload(withoutParts(upload, settings))

const withoutParts = (upload: UploadRow, settings: UploadSettings): CurrentUpload => ({
  upload,
  parts: [],
  status: upload.status,
  expires_at: expiryOf(upload, [], settings),
})
