import type { Bytes } from '../../call/bytes.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import type { ReadableFile } from '../content/content-access.ts'

/** The content of a version, for a transport to send. */
export const contentToSend = (
  blobs: Pick<BlobStore, 'read'>,
  { file: { workspace_id, name }, version: { sha256, size_bytes, content_type } }: ReadableFile,
): Bytes => ({
  size_bytes,
  sha256,
  name,
  content_type,
  open: range => blobs.read(workspace_id, sha256, range ?? undefined),
})
