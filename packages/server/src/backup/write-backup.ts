import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { to as copyTo } from 'pg-copy-streams'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { DatabaseAddress } from '../database/connections/connection.ts'
import {
  digestEntry,
  headerEntry,
  manifestEntry,
  chunkEntry,
  tableKey,
  type Manifest,
} from './archive-format.ts'
import { blobEntries } from './content/blob-entries.ts'
import { gzipped, type ArchivePiece } from './gzip.ts'
import { writeNewFile } from './new-file.ts'
import type { BackupProgress } from './progress.ts'
import { checkBackup, type CheckedBackup } from './read-archive.ts'
import { chunksOf, RowDigest } from './rows.ts'
import { asOwner } from './owner-session.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'
import { copyToSql, quoted, type Table } from './tables.ts'
import { endOfTar, tarEntry } from './tar.ts'

export interface BackupOptions {
  address: DatabaseAddress
  /** The file to create. It must not exist. */
  file: string
  /** Where content is read from. Null for a backup without content. */
  store: BlobStore | null
  onProgress?: (progress: BackupProgress) => void
  signal?: AbortSignal
}

/**
 * Writes the whole database, as it is at one moment, and the content that it names into a new file that only its owner may
 * read, and then reads the file back to check it. Throws BackupError and StoreUnavailable; an incomplete file is never left.
 */
export async function backUp(options: BackupOptions): Promise<CheckedBackup> {
  const { file, signal, onProgress = () => undefined } = options
  const write = (unfinished: string) =>
    asOwner(options.address, signal, async client => {
      await pipeline(
        gzipped(archiveOf({ ...(await openSnapshot(client)), store: options.store, onProgress, signal })),
        createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }),
        { signal },
      )
      // A snapshot holds back vacuum, and the check may take long.
      await client.query('commit')
      return checkBackup(unfinished, { onProgress, signal })
    })
  return { ...(await writeNewFile(file, write)), file }
}

interface Writing extends Snapshot {
  store: BlobStore | null
  onProgress: (progress: BackupProgress) => void
  signal: AbortSignal | undefined
}

async function* archiveOf(writing: Writing): AsyncGenerator<ArchivePiece> {
  const hash = createHash('sha256')
  for await (const piece of entriesOf(writing)) {
    hash.update(piece.bytes)
    yield piece
  }
  const digest = Buffer.from(`${hash.digest('hex')}\n`)
  yield* compressed(tarEntry(digestEntry, digest, new Date(writing.header.made_at)))
  yield* compressed([endOfTar])
}

const compressed = (entry: Buffer[]): ArchivePiece[] => entry.map(bytes => ({ bytes, compress: true }))

async function* entriesOf(writing: Writing): AsyncGenerator<ArchivePiece> {
  const at = new Date(writing.header.made_at)
  yield* compressed(tarEntry(headerEntry, json(writing.header), at))
  const tables: Manifest['tables'] = []
  let rows = 0
  for (const table of writing.tables) {
    const digest = yield* tableEntries(writing, table, rows)
    rows += digest.rows
    const { schema, name, columns } = table
    tables.push({ schema, name, columns, rows: digest.rows, bytes: digest.bytes, sha256: digest.sha256() })
  }
  const { store } = writing
  const blobs = store && (yield* blobEntries({ ...writing, store, at }))
  yield* compressed(tarEntry(manifestEntry, json({ tables, blobs } satisfies Manifest), at))
}

async function* tableEntries(
  writing: Writing,
  table: Table,
  rowsBefore: number,
): AsyncGenerator<ArchivePiece, RowDigest> {
  const at = new Date(writing.header.made_at)
  const digest = new RowDigest()
  let number = 0
  for await (const chunk of readTable(writing, table)) {
    digest.add(chunk)
    yield* compressed(tarEntry(chunkEntry(table, ++number), chunk, at))
    writing.onProgress({ phase: 'reading', rows: rowsBefore + digest.rows })
  }
  await requireAllRows(writing, table, digest.rows)
  return digest
}

const json = (value: object) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

const readTable = ({ client }: Snapshot, table: Table) =>
  chunksOf(client.query(copyTo(copyToSql(table, table.columns), { highWaterMark: 1 << 20 })))

async function requireAllRows({ client }: Snapshot, table: Table, written: number): Promise<void> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${quoted(table)}`)
  if (Number(rows[0]?.count) !== written)
    throw new Error(`${tableKey(table)} has ${rows[0]?.count} rows, and ${written} were read.`)
}
