import type pg from 'pg'
import type { CsvRecord } from './rows/csv.ts'
import { isDay } from '../fact-formats.ts'
import { readHeader } from './rows/columns.ts'
import type { Layout } from './rows/columns.ts'
import { ImportError } from './rows/import-error.ts'
import { readCsvFile } from './open-input.ts'

const columns = {
  required: ['source', 'title', 'publisher', 'url', 'licence', 'observed_on'],
  optional: ['identifier_scheme', 'identifier_prefix'],
} as const
type CatalogueColumn = (typeof columns)['required' | 'optional'][number]

/** A data set from which rows come, as a row of the table `sources`. */
export type Source = Record<CatalogueColumn, string | null>

/** Reads a catalogue of sources. Throws an ImportError for the first error: catalogues are short and written by hand. */
export async function readCatalogue(file: string): Promise<Source[]> {
  const [header, ...records] = await allRecords(file)
  const layout = readHeader(file, header?.fields, columns)
  return records.map(record => readSource(file, record, layout))
}

/** Saves these sources and returns the names of all that are known. */
export async function saveSources(
  client: pg.ClientBase,
  sources: readonly Source[],
): Promise<ReadonlySet<string>> {
  await client.query(
    `insert into sources (source, title, publisher, url, licence, observed_on, identifier_scheme, identifier_prefix)
     select source, title, publisher, url, licence, observed_on, identifier_scheme, coalesce(identifier_prefix, '')
     from jsonb_populate_recordset(null::sources, $1)
     on conflict (source) do update set title = excluded.title, publisher = excluded.publisher, url = excluded.url,
       licence = excluded.licence, observed_on = excluded.observed_on,
       identifier_scheme = excluded.identifier_scheme, identifier_prefix = excluded.identifier_prefix`,
    [JSON.stringify(sources)],
  )
  const { rows } = await client.query<{ source: string }>('select source from sources')
  return new Set(rows.map(row => row.source))
}

async function allRecords(file: string): Promise<CsvRecord[]> {
  const records: CsvRecord[] = []
  for await (const some of readCsvFile(file)) records.push(...some)
  return records
}

function readSource(file: string, record: CsvRecord, layout: Layout<CatalogueColumn>): Source {
  const error = errorIn(record, layout)
  if (error !== undefined) throw new ImportError(`${file} line ${record.line}: ${error}`)
  const cell = cellsOf(record, layout)
  return {
    source: cell('source'),
    title: cell('title'),
    publisher: cell('publisher'),
    url: cell('url'),
    licence: cell('licence'),
    observed_on: cell('observed_on'),
    identifier_scheme: cell('identifier_scheme'),
    identifier_prefix: cell('identifier_prefix'),
  }
}

function errorIn(record: CsvRecord, layout: Layout<CatalogueColumn>): string | undefined {
  if (record.damage || record.fields.length !== layout.width) return 'the row is not whole'
  if (unreadable.test(record.raw)) return 'the row holds control characters, or is not UTF-8'
  const cell = cellsOf(record, layout)
  if (!/^[a-z0-9_]{1,64}$/.test(cell('source') ?? ''))
    return 'source must be 1 to 64 of the characters a-z, 0-9 and _'
  const blank = (['title', 'publisher', 'licence'] as const).find(column => cell(column) === null)
  if (blank) return `${blank} must have a value`
  const [url, observed_on] = [cell('url'), cell('observed_on')]
  if (url !== null && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    return 'url must be an http or https URL, or blank'
  if (observed_on !== null && !isDay(observed_on)) return 'observed_on must be a day, as YYYY-MM-DD, or blank'
  return undefined
}

// oxlint-disable-next-line no-control-regex
const unreadable = /[\u0000-\u001f\u007f-\u009f\ufffd]/

function cellsOf(
  record: CsvRecord,
  layout: Layout<CatalogueColumn>,
): (column: CatalogueColumn) => string | null {
  return column => record.fields[layout.at.get(column) ?? -1]?.trim() || null
}
