import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { BlobStore } from '../blobs/blob-store.ts'
import { tableKey, type Manifest } from './archive-format.ts'
import { BackupError } from './backup-error.ts'
import { storeBlob } from './content/store-blob.ts'
import type { BackupProgress } from './progress.ts'
import { Archive, type CheckedBackup } from './read-archive.ts'
import { RowSet } from './rows.ts'
import { copyToSql, quoted, quotedColumns } from './tables.ts'

type ManifestTable = Manifest['tables'][number]

interface Loading {
  store: BlobStore
  onProgress: (progress: BackupProgress) => void
  signal: AbortSignal | undefined
}

/**
 * Loads the rows of a backup into its empty tables, and stores its content. Gives the set of rows that each table was given.
 * All content is durable before the caller commits the rows that name it.
 */
export async function loadBackup(
  client: pg.ClientBase,
  backup: CheckedBackup,
  { store, onProgress, signal }: Loading,
): Promise<Map<string, RowSet>> {
  const given = new Map<string, RowSet>()
  const tables = new Map(backup.manifest.tables.map(table => [tableKey(table), table]))
  const archive = new Archive(backup.file)
  const total_bytes = backup.manifest.blobs?.bytes ?? 0
  await archive.read({
    async rows(key, chunks) {
      const table = tables.get(key)
      if (!table) throw new BackupError(`${backup.file} was changed while it was restored.`)
      const rows = new RowSet()
      given.set(key, rows)
      const watched = watch(chunks, chunk => {
        rows.add(chunk)
        onProgress({ phase: 'loading', rows: archive.rows })
      })
      await copyIn(client, table, watched, signal)
    },
    async blob(blob, content) {
      const watched = watch(content, () => {
        signal?.throwIfAborted()
        onProgress({ phase: 'storing_content', bytes: archive.blobs.bytes, total_bytes })
      })
      await storeBlob(store, blob, watched, signal)
    },
  })
  return given
}

async function copyIn(
  client: pg.ClientBase,
  table: ManifestTable,
  chunks: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
): Promise<void> {
  let fault: unknown
  async function* watched() {
    try {
      yield* chunks
    } catch (error) {
      fault = error
      throw error
    }
  }
  const copy = copyFrom(`copy ${quoted(table)} (${quotedColumns(table.columns)}) from stdin`)
  // The error of the file, or of the signal: the database only reports that its input ended.
  await pipeline(watched(), client.query(copy), { signal }).catch((error: unknown) => {
    signal?.throwIfAborted()
    throw fault ?? error
  })
}

async function* watch(chunks: AsyncIterable<Buffer>, see: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    see(chunk)
    yield chunk
  }
}

/** Reads every table again. Throws BackupError if one does not have exactly the rows that were loaded. */
export async function compareTables(
  client: pg.ClientBase,
  backup: CheckedBackup,
  given: ReadonlyMap<string, RowSet>,
  { onProgress, signal }: Omit<Loading, 'store'>,
): Promise<void> {
  let compared = 0
  for (const table of backup.manifest.tables) {
    const there = await rowsOf(client, table, rows => {
      signal?.throwIfAborted()
      onProgress({ phase: 'comparing', rows: compared + rows })
    })
    if (there.rows !== table.rows || !there.equals(given.get(tableKey(table)) ?? new RowSet()))
      throw new BackupError(
        `${tableKey(table)} would not have the rows that ${backup.file} has; nothing was restored.`,
      )
    compared += there.rows
  }
}

async function rowsOf(
  client: pg.ClientBase,
  table: ManifestTable,
  see: (rows: number) => void,
): Promise<RowSet> {
  const rows = new RowSet()
  for await (const chunk of client.query(
    copyTo(copyToSql(table, table.columns), { highWaterMark: 1 << 20 }),
  )) {
    rows.add(chunk as Buffer)
    see(rows.rows)
  }
  return rows
}
