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
import { laneOf, stagedColumns, stagedRow } from './rows/staged-row.ts'

export interface Staging {
  files: readonly string[]
  known: Known
  startedAt: Date
  rejects: RejectsFile
  progress: Progress
  signal: AbortSignal
}

/**
 * Reads the files to their end: rows that hold go to the temporary table `staged` of one of the connections, the others
 * to the rejects. Rows of one record always meet on the same connection. Nothing that others can see is written, so that
 * a file which turns out to be cut short leaves no trace.
 */
export async function stageFiles(clients: readonly pg.Client[], staging: Staging): Promise<void> {
  const lanes = await Promise.all(clients.map(client => openLane(client, staging.signal)))
  try {
    for await (const pieces of stagedPieces(staging, lanes.length))
      await Promise.all(lanes.map((lane, at) => feed(lane, pieces[at] ?? '')))
    for (const lane of lanes) lane.input.end()
    await Promise.all(lanes.map(lane => lane.done))
  } finally {
    for (const lane of lanes) lane.input.destroy()
  }
  await Promise.all(clients.map(client => client.query('analyze staged (source, source_id, body)')))
}

interface Lane {
  input: PassThrough
  done: Promise<void>
}

async function openLane(client: pg.Client, signal: AbortSignal): Promise<Lane> {
  await client.query(`
    create temp table staged (
      source text collate "C", source_id text collate "C", name text, legal_name text, status text, founded_on date,
      founded_year smallint, closed_on date, description text, public_email text, public_phone text, website_url text,
      country_code text, state text, city text, postal_code text, line1 text, naics_code text collate "C",
      naics_vintage text collate "C", name_folded text, city_folded text, fields text[], digest bytea,
      body text collate "C", file smallint, line integer, raw text
    )`)
  const input = new PassThrough({ highWaterMark: 1 << 20 })
  const done = pipeline(
    input,
    client.query(copyFrom(`copy staged (${stagedColumns.join(', ')}) from stdin`)),
    { signal },
  )
  done.catch(() => undefined) // until it is waited for
  return { input, done }
}

async function feed({ input, done }: Lane, piece: string): Promise<void> {
  if (piece === '') return
  // A lane that failed is destroyed, and done says why.
  if (input.destroyed || !input.write(piece)) await Promise.race([once(input, 'drain'), done])
}

async function* stagedPieces(staging: Staging, lanes: number): AsyncGenerator<string[]> {
  const newBody = idBodies(staging.startedAt)
  for (const [index, file] of staging.files.entries()) {
    let row: RowReader | undefined
    for await (const records of readCsvFile(file)) {
      if (records.length === 0) continue
      row ??= new RowReader(readHeader(file, records.shift()?.fields, columns))
      yield stagePiece(staging, row, records, { file, index, lanes, newBody })
      await staging.rejects.write()
      staging.progress.tell('reading')
    }
    if (!row) readHeader(file, undefined, columns)
  }
}

interface Origin {
  file: string
  index: number
  lanes: number
  newBody: () => string
}

/** The rows of these records for each lane. */
function stagePiece(
  staging: Staging,
  row: RowReader,
  records: readonly CsvRecord[],
  origin: Origin,
): string[] {
  const pieces = Array.from({ length: origin.lanes }, () => '')
  for (const record of records) {
    const { line, raw } = record
    const facts = row.turnTo(record) ? checkRow(row, staging.known) : undefined
    if (facts && row.reasons.length === 0)
      pieces[laneOf(facts, origin.lanes)] += stagedRow(facts, {
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
  return pieces
}
