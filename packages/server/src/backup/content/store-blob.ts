import { randomUUID } from 'node:crypto'
import type { BlobStore, StoredContent } from '../../blobs/blob-store.ts'
import { blobKey } from '../archive-format.ts'
import { BackupError } from '../backup-error.ts'
import { gather } from '../gather.ts'
import { DamagedContent, storedContent } from './checked-content.ts'
import type { NamedBlob } from './named-blobs.ts'

/** Larger content is stored in parts of this size, so that it need not fit into memory. */
const partBytes = 8 * 1024 * 1024
const mostParts = 10_000

/**
 * Stores content of a backup. When it returns, a crash cannot lose it. Content that is there already is verified and kept.
 * Throws BackupError if that is damaged, StoreUnavailable, and the errors of the content.
 */
export async function storeBlob(
  store: BlobStore,
  blob: NamedBlob,
  content: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (await store.has(blob.workspace_id, blob.sha256)) return verifyStored(store, blob, signal)
  const stored =
    blob.size_bytes <= partBytes
      ? await store.put(blob.workspace_id, await gather(content))
      : await storeInParts(store, blob, content, signal)
  if (stored.sha256 !== blob.sha256)
    throw new BackupError(
      `The store did not keep the content ${blobKey(blob)} as it is in the backup; nothing was restored.`,
    )
}

async function verifyStored(store: BlobStore, blob: NamedBlob, signal?: AbortSignal): Promise<void> {
  try {
    for await (const _ of storedContent(store, blob, signal));
  } catch (error) {
    if (!(error instanceof DamagedContent)) throw error
    throw new BackupError(
      `The store already has the content ${blobKey(blob)}, but damaged: ${error.reason}. Remove it from the store, and restore again; nothing was restored.`,
    )
  }
}

async function storeInParts(
  store: BlobStore,
  { workspace_id, size_bytes }: NamedBlob,
  content: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
): Promise<StoredContent> {
  const key = { workspace_id, upload_id: `restore_${randomUUID().replaceAll('-', '')}` }
  const upload = { ...key, reference: await store.uploads.begin(key) }
  try {
    const size = Math.max(partBytes, Math.ceil(size_bytes / mostParts))
    const takePart = partsOf(content)
    let part_number = 0
    for (let start = 0; start < size_bytes; start += size) {
      signal?.throwIfAborted()
      const part = { part_number: ++part_number, size_bytes: Math.min(size, size_bytes - start) }
      await store.uploads.writePart(upload, part, takePart(part.size_bytes))
    }
    return await store.uploads.seal(upload, part_number, signal)
  } finally {
    // The service removes what this leaves, as it does with uploads that nobody completed.
    await store.uploads.discard(upload).catch(() => undefined)
  }
}

/** Splits content into parts that are read one after the other. */
function partsOf(content: AsyncIterable<Buffer>): (size: number) => AsyncGenerator<Buffer> {
  const source = content[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  return async function* takePart(size) {
    for (let left = size; left > 0;) {
      if (rest.length === 0) {
        const next = await source.next()
        if (next.done) return
        rest = next.value
      }
      const piece = rest.subarray(0, left)
      rest = rest.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }
}
