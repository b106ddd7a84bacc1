import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { QueryResultRow } from 'pg'
import { importBusinesses } from '../../../src/businesses/import/import-businesses.ts'
import type { ImportOptions, ImportResult } from '../../../src/businesses/import/import-businesses.ts'
import { CsvReader } from '../../../src/businesses/import/rows/csv.ts'
import { connectWriter } from '../../../src/database/database.ts'
import { createTestDatabase } from '../../harness/database.ts'
import type { TestDatabase } from '../../harness/database.ts'

/** A row of an import file; missing columns are blank. */
export type Row = Record<string, string>

/** A line of the file of rejected rows. */
export type RejectedRow = Record<
  'file' | 'line' | 'source' | 'source_id' | 'column' | 'code' | 'detail' | 'row',
  string
>

/** The import, with its own database and folder. */
export interface ImportBench extends AsyncDisposable {
  database: TestDatabase
  rejectsFile: string
  sources: string
  connect: () => Promise<Client>
  /** Writes a file of these rows, or this text, and returns its path. */
  file(content: Row[] | string | Buffer, name?: string): Promise<string>
  run(files: string[], options?: Partial<ImportOptions>): Promise<ImportResult>
  /** The rows that the last import rejected; empty if it left no file. */
  rejected(): Promise<RejectedRow[]>
  /** Runs SQL with the rights of the writer. */
  query<R extends QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>
  /** Runs SQL with the rights of set-up. */
  administer(text: string, values?: unknown[]): Promise<void>
}

export const columns =
  'source,source_id,name,status,founded_on,closed_on,address1,city,state,postal_code,naics_code,naics_vintage,website_url,phone,description'

const catalogue = `source,title,publisher,url,licence,observed_on,identifier_scheme,identifier_prefix
demo,Demonstration data,The tests,https://example.org/demo,public domain,2026-01-31,,
register,A register with ids of its own,The tests,,public domain,,register_no,reg-
`

/** A valid row with these values. */
export function row(values: Row): Row {
  return { source: 'demo', source_id: '1', name: 'Plain Business LLC', ...values }
}

/** CSV text of these rows, with the required columns and any others that a row has. */
export function csv(rows: readonly Row[]): string {
  const names = [...new Set([...columns.split(','), ...rows.flatMap(row => Object.keys(row))])]
  const lines = rows.map(row => names.map(name => cell(row[name] ?? '')).join(','))
  return `${[names.join(','), ...lines].join('\n')}\n`
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export async function openBench(): Promise<ImportBench> {
  const database = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'wbs-import-'))
  const rejectsFile = join(folder, 'rejects.csv')
  const sources = join(folder, 'sources.csv')
  await writeFile(sources, catalogue)
  const connect = () => connectWriter(database.address)
  const client = await connect()
  const admin = new Client({ ...database.address, options: '-c search_path=svc,public' })
  await admin.connect()
  let files = 0
  return {
    database,
    rejectsFile,
    sources,
    connect,
    async file(content, name = `file${files++}.csv`) {
      const path = join(folder, name)
      await writeFile(path, Array.isArray(content) ? csv(content) : content)
      return path
    },
    run: (files, options) =>
      importBusinesses({
        connect,
        sendJobs: async () => {},
        files,
        publish: true,
        rejectsFile,
        sourceCatalogue: sources,
        ...options,
      }),
    rejected: async () => readRejects(await readFile(rejectsFile, 'utf8').catch(() => '')),
    query: async (text, values) => (await client.query(text, values)).rows,
    administer: async (text, values) => void (await admin.query(text, values)),
    async [Symbol.asyncDispose]() {
      await admin.end()
      await client.end()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function readRejects(text: string): RejectedRow[] {
  const reader = new CsvReader()
  const [header, ...records] = [...reader.read(text), ...reader.end()]
  return records.map(({ fields }) => {
    const cell = (name: string) => fields[header?.fields.indexOf(name) ?? -1] ?? ''
    return {
      file: cell('file'),
      line: cell('line'),
      source: cell('source'),
      source_id: cell('source_id'),
      column: cell('column'),
      code: cell('code'),
      detail: cell('detail'),
      row: cell('row'),
    }
  })
}

/** The id of the server process of a connection, which the types of pg lack. */
export function processOf(client: Client): number {
  return Number(Reflect.get(client, 'processID'))
}
