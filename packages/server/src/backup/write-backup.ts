import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { to as copyTo } from 'pg-copy-streams'
import type { DatabaseAddress } from '../database/connections/connection.ts'
import {
  digestEntry,
  headerEntry,
  manifestEntry,
  chunkEntry,
  tableKey,
  type Manifest,
} from './archive-format.ts'
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
  onProgress?: (progress: BackupProgress) => void
  signal?: AbortSignal
}

/**
 * Writes the whole database, as it is at one moment, into a new file that only its owner may read, and then reads the
 * file back to check it. Throws BackupError; an incomplete file is never left.
 */
export async function backUp(options: BackupOptions): Promise<CheckedBackup> {
  const { file, signal, onProgress = () => undefined } = options
  const write = (unfinished: string) =>
    asOwner(options.address, signal, async client => {
      await pipeline(
        archiveOf(await openSnapshot(client), onProgress),
        createGzip({ level: 4, chunkSize: 256 * 1024 }),
        createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }),
        { signal },
      )
      return checkBackup(unfinished, { onProgress, signal })
    })
  return { ...(await writeNewFile(file, write)), file }
}

async function* archiveOf(
  snapshot: Snapshot,
  onProgress: (progress: BackupProgress) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const bytes of entriesOf(snapshot, onProgress)) {
    hash.update(bytes)
    yield bytes
  }
  yield* tarEntry(digestEntry, Buffer.from(`${hash.digest('hex')}\n`), new Date(snapshot.header.made_at))
  yield endOfTar
}

async function* entriesOf(
  snapshot: Snapshot,
  onProgress: (progress: BackupProgress) => void,
): AsyncGenerator<Buffer> {
  const at = new Date(snapshot.header.made_at)
  const manifest: Manifest = { tables: [] }
  let rows = 0
  yield* tarEntry(headerEntry, json(snapshot.header), at)
  for (const table of snapshot.tables) {
    const digest = new RowDigest()
    let number = 0
    for await (const chunk of readTable(snapshot, table)) {
      digest.add(chunk)
      yield* tarEntry(chunkEntry(table, ++number), chunk, at)
      onProgress({ phase: 'reading', rows: rows + digest.rows })
    }
    await requireAllRows(snapshot, table, digest.rows)
    rows += digest.rows
    const { schema, name, columns } = table
    manifest.tables.push({
      schema,
      name,
      columns,
      rows: digest.rows,
      bytes: digest.bytes,
      sha256: digest.sha256(),
    })
  }
  yield* tarEntry(manifestEntry, json(manifest), at)
}

const json = (value: object) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

const readTable = ({ client }: Snapshot, table: Table) =>
  chunksOf(client.query(copyTo(copyToSql(table, table.columns), { highWaterMark: 1 << 20 })))

async function requireAllRows({ client }: Snapshot, table: Table, written: number): Promise<void> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${quoted(table)}`)
  if (Number(rows[0]?.count) !== written)
    throw new Error(`${tableKey(table)} has ${rows[0]?.count} rows, and ${written} were read.`)
}
