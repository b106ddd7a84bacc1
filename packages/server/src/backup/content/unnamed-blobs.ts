import type pg from 'pg'
import type { BlobStore, ListedBlob } from '../../blobs/blob-store.ts'
import { hasFiles } from './named-blobs.ts'

const batchSize = 1000
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * What the store has and no row names, a batch at a time. Content that was listed before its row was committed may be among
 * it, with an age of seconds.
 */
export async function* unnamedBlobs(
  client: pg.ClientBase,
  store: BlobStore,
  onListed: (count: number) => void,
): AsyncGenerator<ListedBlob> {
  const areThereFiles = await hasFiles(client)
  let listed = 0
  for await (const batch of batchesOf(store.list())) {
    yield* areThereFiles ? await withoutNamed(client, batch) : batch
    onListed((listed += batch.length))
  }
}

async function* batchesOf(blobs: AsyncIterable<ListedBlob>): AsyncGenerator<ListedBlob[]> {
  let batch: ListedBlob[] = []
  for await (const blob of blobs) {
    if (batch.push(blob) < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function withoutNamed(client: pg.ClientBase, blobs: readonly ListedBlob[]): Promise<ListedBlob[]> {
  const asked = blobs.map(({ workspace_id, sha256 }) => ({
    workspace_id: uuid.test(workspace_id) ? workspace_id : null,
    sha256,
  }))
  const { rows } = await client.query<{ at: string }>(
    `select listed.at from unnest($1::uuid[], $2::text[]) with ordinality listed (workspace_id, sha256, at)
     where exists (select from svc.file_versions v where v.workspace_id = listed.workspace_id and v.sha256 = listed.sha256)`,
    [asked.map(blob => blob.workspace_id), asked.map(blob => blob.sha256)],
  )
  const named = new Set(rows.map(({ at }) => Number(at) - 1))
  return blobs.filter((_, at) => !named.has(at))
}
