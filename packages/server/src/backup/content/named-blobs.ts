import type pg from 'pg'
import type { StoredContent } from '../../blobs/blob-store.ts'
import type { BlobName, BlobTotals } from '../archive-format.ts'

/** Content that rows name. */
export interface NamedBlob extends BlobName, StoredContent {}

const pageSize = 1000

/**
 * The content that the rows of the database name, in ascending order, a page at a time. A database of a version without
 * Files names none.
 */
export async function* namedBlobs(client: pg.ClientBase): AsyncGenerator<NamedBlob> {
  if (!(await hasFiles(client))) return
  let last = { workspace_id: '00000000-0000-0000-0000-000000000000', sha256: '', size_bytes: 0 }
  for (;;) {
    const { rows } = await client.query<BlobName & { size_bytes: string }>(
      `${distinctBlobs} and (workspace_id, sha256, size_bytes) > ($1, $2, $3) order by 1, 2, 3 limit ${pageSize}`,
      [last.workspace_id, last.sha256, last.size_bytes],
    )
    for (const row of rows) yield (last = { ...row, size_bytes: Number(row.size_bytes) })
    if (rows.length < pageSize) return
  }
}

/** The size of all content that rows name. */
export async function namedTotals(client: pg.ClientBase): Promise<BlobTotals> {
  if (!(await hasFiles(client))) return { count: 0, bytes: 0 }
  const { rows } = await client.query<{ count: string; bytes: string }>(
    `select count(*), coalesce(sum(size_bytes), 0) as bytes from (${distinctBlobs}) named`,
  )
  return { count: Number(rows[0]?.count), bytes: Number(rows[0]?.bytes) }
}

const distinctBlobs =
  'select distinct workspace_id, sha256, size_bytes from svc.file_versions where sha256 is not null'

/** Whether the database has Files. */
export async function hasFiles(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ is_there: boolean }>(
    `select to_regclass('svc.file_versions') is not null as is_there`,
  )
  return rows[0]?.is_there === true
}
