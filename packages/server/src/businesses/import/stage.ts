import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { checkRow } from './rows/check-row.ts'
import type { Known } from './rows/check-row.ts'
import { columns, readHeader } from './rows/columns.ts'
import type { CsvRecord } from './rows/csv.ts'
import { idBodies } from './id-bodies.ts'
import { readCsvFile } from './open-input.ts'
import type { Progress } from './progress.ts'
import type { RejectsFile } from './rows/rejects.ts'
import { RowReader } from './rows/row.ts'
import { createStaged, partitionOf, stagedColumns, stagedRow } from './rows/staged-row.ts'

export interface Staging {
  files: readonly string[]
  known: Known
  startedAt: Date
  rejects: RejectsFile
  progress: Progress
  signal: AbortSignal
}

/**
 * Reads the files to their end. Valid rows go to the temporary table `staged` of one of the connections, others to the rejects.
 * All rows of a record go to the same connection. Nothing is written that others can see, so a file that turns out to be
 * truncated has no effect.
 */
export async function stageFiles(clients: readonly pg.Client[], staging: Staging): Promise<void> {
  const streams = await Promise.all(clients.map(client => openCopyStream(client, staging.signal)))
  try {
    for await (const chunks of stagedChunks(staging, streams.length))
      await Promise.all(streams.map((stream, at) => writeToStream(stream, chunks[at] ?? '')))
    for (const stream of streams) stream.input.end()
    await Promise.all(streams.map(stream => stream.done))
  } finally {
    for (const stream of streams) stream.input.destroy()
  }
  await Promise.all(clients.map(client => client.query('analyze staged (source, source_id, body)')))
}

interface CopyStream {
  input: PassThrough
  done: Promise<void>
}

async function openCopyStream(client: pg.Client, signal: AbortSignal): Promise<CopyStream> {
  await client.query(createStaged)
  const input = new PassThrough({ highWaterMark: 1 << 20 })
  const done = pipeline(
    input,
    client.query(copyFrom(`copy staged (${stagedColumns.join(', ')}) from stdin`)),
    { signal },
  )
  done.catch(() => undefined) // it is awaited later
  return { input, done }
}

async function writeToStream({ input, done }: CopyStream, chunk: string): Promise<void> {
  if (chunk === '') return
  // A stream that failed is destroyed, and `done` throws its error.
  if (input.destroyed || !input.write(chunk)) await Promise.race([once(input, 'drain'), done])
}

async function* stagedChunks(staging: Staging, streams: number): AsyncGenerator<string[]> {
  const newBody = idBodies(staging.startedAt)
  for (const [index, file] of staging.files.entries()) {
    let row: RowReader | undefined
    for await (const records of readCsvFile(file)) {
      if (records.length === 0) continue
      row ??= new RowReader(readHeader(file, records.shift()?.fields, columns))
      yield stageChunk(staging, row, records, { file, index, streams, newBody })
      await staging.rejects.write()
      staging.progress.report('reading')
    }
    if (!row) readHeader(file, undefined, columns)
  }
}

interface Origin {
  file: string
  index: number
  streams: number
  newBody: () => string
}

/** The text to copy into each stream for these records. */
function stageChunk(
  staging: Staging,
  row: RowReader,
  records: readonly CsvRecord[],
  origin: Origin,
): string[] {
  const chunks = Array.from({ length: origin.streams }, () => '')
  for (const record of records) {
    const { line, raw } = record
    const facts = row.turnTo(record) ? checkRow(row, staging.known) : undefined
    if (facts && row.reasons.length === 0)
      chunks[partitionOf(facts, origin.streams)] += stagedRow(facts, {
        body: origin.newBody(),
        file: origin.index,
        line,
        raw,
      })
    else {
      const [source, source_id] = [row.cell('source'), row.cell('source_id')]
      staging.rejects.add({ file: origin.file, line, source, source_id, reasons: row.reasons, raw })
    }
  }
  staging.progress.counts.read += records.length
  staging.progress.counts.rejected = staging.rejects.count
  return chunks
}
