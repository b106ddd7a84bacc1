import type { BlobStore } from '../../blobs/blob-store.ts'
import type { Reader, RowScope } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { lockContent, namedContents, uploadStatuses } from './sweeper-store.ts'

export interface SweepParts {
  blobs: Pick<BlobStore, 'list' | 'remove' | 'uploads'>
  readers: { scoped(scope: RowScope): Reader }
  writers: { transaction<T>(scope: RowScope, work: (tx: Transaction) => Promise<T>): Promise<T> }
  now: () => Date
}

/** How old something must be that no row names. A change that is under way may be about to name it. */
export interface SweepAges {
  blob_hours: number
  upload_hours: number
}

const defaultAges: SweepAges = { blob_hours: 24, upload_hours: 8 * 24 }

/** How many things were removed. */
export interface Swept {
  blobs: number
  uploads: number
}

/**
 * Removes what is in the store but belongs to nothing: contents that no version names, and uploads that have ended or that no
 * row names. Any number of nodes may run it at once.
 */
export async function sweepBlobs(
  parts: SweepParts,
  { blob_hours, upload_hours }: SweepAges = defaultAges,
  signal?: AbortSignal,
): Promise<Swept> {
  const swept = { blobs: 0, uploads: 0 }
  const isOlder = (since: Date, hours: number) => parts.now().getTime() - since.getTime() >= hours * 3_600_000
  for await (const { workspace_id, items } of inBatches(parts.blobs.list(), signal))
    swept.blobs += await sweepContents(
      parts,
      workspace_id,
      items.filter(({ stored_at }) => isOlder(stored_at, blob_hours)).map(({ sha256 }) => sha256),
      signal,
    )
  for await (const { workspace_id, items } of inBatches(parts.blobs.uploads.list(), signal)) {
    const ids = items.map(({ upload_id }) => upload_id)
    const statusOf = await uploadStatuses(readerOf(parts, workspace_id), workspace_id, ids)
    for (const upload of items) {
      signal?.throwIfAborted()
      const status = statusOf.get(upload.upload_id)
      const isUseless = status === undefined ? isOlder(upload.began_at, upload_hours) : status !== 'open'
      if (!isUseless) continue
      await parts.blobs.uploads.discard(upload)
      swept.uploads++
    }
  }
  return swept
}

const readerOf = ({ readers }: SweepParts, workspace_id: string) =>
  readers.scoped({ workspace_id, user_id: null })

async function sweepContents(
  parts: SweepParts,
  workspace_id: string,
  sha256s: readonly string[],
  signal: AbortSignal | undefined,
): Promise<number> {
  if (sha256s.length === 0) return 0
  const named = await namedContents(readerOf(parts, workspace_id), workspace_id, sha256s)
  let removed = 0
  for (const sha256 of sha256s) {
    if (named.has(sha256)) continue
    signal?.throwIfAborted()
    if (await removeUnnamed(parts, workspace_id, sha256)) removed++
  }
  return removed
}

/** Removes a content under its lock, unless a version has begun to name it. */
const removeUnnamed = ({ blobs, writers }: SweepParts, workspace_id: string, sha256: string) =>
  writers.transaction({ workspace_id, user_id: null }, async tx => {
    if (await lockContent(tx, workspace_id, sha256)) return false
    await blobs.remove(workspace_id, sha256)
    return true
  })

const mostInBatch = 500
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Groups things of the same Workspace that follow each other. What belongs to no Workspace is left alone. */
async function* inBatches<Item extends { workspace_id: string }>(
  items: AsyncIterable<Item>,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ workspace_id: string; items: Item[] }> {
  let batch: Item[] = []
  for await (const item of items) {
    signal?.throwIfAborted()
    if (!uuid.test(item.workspace_id)) continue
    const [first] = batch
    if (first && (first.workspace_id !== item.workspace_id || batch.length >= mostInBatch)) {
      yield { workspace_id: first.workspace_id, items: batch }
      batch = []
    }
    batch.push(item)
  }
  const [first] = batch
  if (first) yield { workspace_id: first.workspace_id, items: batch }
}
