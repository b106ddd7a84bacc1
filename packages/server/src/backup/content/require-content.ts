import type pg from 'pg'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { blobKey, type Manifest } from '../archive-format.ts'
import { BackupError } from '../backup-error.ts'
import { namedBlobs, namedTotals, type NamedBlob } from './named-blobs.ts'

/** Questions to the store at the same time. */
const atOnce = 16

/**
 * Throws BackupError unless the backup contained everything that the restored rows name, or, if it was made without
 * content, the store has it.
 */
export async function requireContent(
  client: pg.ClientBase,
  { file, manifest }: { file: string; manifest: Manifest },
  store: BlobStore,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!manifest.blobs) return requireStored(client, store, signal)
  const named = await namedTotals(client)
  if (named.count !== manifest.blobs.count || named.bytes !== manifest.blobs.bytes)
    throw new BackupError(`${file} does not contain the content that its rows name; nothing was restored.`)
}

async function requireStored(client: pg.ClientBase, store: BlobStore, signal?: AbortSignal): Promise<void> {
  let batch: NamedBlob[] = []
  for await (const blob of namedBlobs(client)) {
    signal?.throwIfAborted()
    batch.push(blob)
    if (batch.length < atOnce) continue
    await requireEach(store, batch)
    batch = []
  }
  await requireEach(store, batch)
}

async function requireEach(store: BlobStore, blobs: readonly NamedBlob[]): Promise<void> {
  const found = await Promise.all(blobs.map(blob => store.has(blob.workspace_id, blob.sha256)))
  const missing = blobs[found.indexOf(false)]
  if (missing)
    throw new BackupError(
      `The backup was made without content, and the store does not have the content ${blobKey(missing)}; nothing was restored.`,
    )
}
