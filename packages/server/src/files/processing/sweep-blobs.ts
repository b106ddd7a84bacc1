import type { BlobKey, BlobStore } from '../../blobs/blob-store.ts'
import type { Reader, RowScope } from '../../database/statement.ts'
import { contentRemover, type RemovalParts, type RemoveContent } from './remove-content.ts'
import { namedContents, tidyRemovals, uploadStatuses } from './sweeper-store.ts'

export interface SweepParts extends RemovalParts {
  blobs: Pick<BlobStore, 'list' | 'remove' | 'uploads'>
  readers: { scoped(scope: RowScope): Reader }
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

/** Where a sweep is: after a content, or at the uploads, which are few, so that they are listed from their start. */
export type SweepPosition = BlobKey | 'uploads'

/** The part of a round that one node goes through. */
export interface SweepPart {
  /** Null for the start. */
  from: SweepPosition | null
  /** Called with what is done, often. The sweep ends if the answer is false. */
  reached(position: SweepPosition): Promise<boolean>
  signal: AbortSignal
}

/**
 * Removes what is in the store but belongs to nothing: contents that no version names, and uploads that have ended or that no
 * row names. Any number of nodes may run it at once.
 */
export async function sweepBlobs(
  parts: SweepParts,
  { blob_hours, upload_hours }: SweepAges = defaultAges,
  part?: SweepPart,
): Promise<Swept> {
  const { from = null, reached = () => Promise.resolve(true), signal } = part ?? {}
  const swept = { blobs: 0, uploads: 0 }
  const remove = contentRemover(parts)
  const isOlder = (since: Date, hours: number) => parts.now().getTime() - since.getTime() >= hours * 3_600_000
  if (from !== 'uploads')
    for await (const batch of inBatches(parts.blobs.list(from ?? undefined), signal)) {
      for (const [workspace_id, items] of byWorkspace(batch))
        swept.blobs += await sweepContents(
          parts,
          remove,
          workspace_id,
          items.filter(({ stored_at }) => isOlder(stored_at, blob_hours)).map(({ sha256 }) => sha256),
          signal,
        )
      const last = batch.at(-1)
      if (last && !(await reached({ workspace_id: last.workspace_id, sha256: last.sha256 }))) return swept
    }
  for await (const batch of inBatches(parts.blobs.uploads.list(), signal)) {
    for (const [workspace_id, items] of byWorkspace(batch)) {
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
    if (!(await reached('uploads'))) return swept
  }
  return swept
}

const readerOf = ({ readers }: SweepParts, workspace_id: string) =>
  readers.scoped({ workspace_id, user_id: null })

async function sweepContents(
  parts: SweepParts,
  remove: RemoveContent,
  workspace_id: string,
  sha256s: readonly string[],
  signal: AbortSignal | undefined,
): Promise<number> {
  const left = await parts.writers.transaction({ workspace_id, user_id: null }, tx =>
    tidyRemovals(tx, workspace_id),
  )
  const asked = [...left, ...sha256s]
  if (asked.length === 0) return 0
  const named = await namedContents(readerOf(parts, workspace_id), workspace_id, asked)
  let removed = 0
  for (const sha256 of asked) {
    if (named.has(sha256)) continue
    signal?.throwIfAborted()
    if (await remove(workspace_id, sha256)) removed++
  }
  return removed
}

const mostInBatch = 500
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What belongs to no Workspace is left alone. */
const byWorkspace = <Item extends { workspace_id: string }>(items: readonly Item[]): Map<string, Item[]> =>
  Map.groupBy(
    items.filter(({ workspace_id }) => uuid.test(workspace_id)),
    ({ workspace_id }) => workspace_id,
  )

async function* inBatches<Item>(
  items: AsyncIterable<Item>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Item[]> {
  let batch: Item[] = []
  for await (const item of items) {
    signal?.throwIfAborted()
    if (batch.push(item) < mostInBatch) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
