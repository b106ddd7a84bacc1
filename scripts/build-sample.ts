// Makes the data files that the server ships from a folder of public data. Run by hand when that data changes:
//   node scripts/build-sample.ts FOLDER
// The folder holds naics.csv (code, title, edition, level, parent_code), businesses.csv.gz (the columns of an import)
// and raw/sec_cik.csv.gz (source_id, Exchange). Works of the U.S. government alone are taken: packages/server/data/
// sources.csv says which. The same folder always gives the same files.
import { hash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import { readCsvFile } from '../packages/server/src/businesses/import/open-input.ts'

type Row = Record<string, string>

const columns = [
  'source',
  'source_id',
  'name',
  'status',
  'founded_on',
  'closed_on',
  'address1',
  'city',
  'state',
  'postal_code',
  'naics_code',
  'naics_vintage',
  'website_url',
  'phone',
  'description',
]

/** How many rows to take of a source; of those not named here, none. Loans are many, so a spread of them has to do. */
const shares: Record<string, number> = {
  cms_hospitals: Infinity,
  fdic_closed: Infinity,
  fsis_mpi: Infinity,
  ipeds_hd2022: Infinity,
  ncua_foicu: Infinity,
  sec_cik: Infinity,
  sba_ppp_ga: 4000,
  sba_ppp_ma: 3000,
  sba_ppp_mt: 1800,
}

const exchanges = new Set(['NYSE', 'NASDAQ', 'NYSE MKT'])
const legalForm =
  /\b(?:llc|l\.l\.c\.?|inc|incorporated|corp|corporation|company|ltd|limited|lp|llp|church|school)\b/i

async function readRows(file: string): Promise<Row[]> {
  const rows: Row[] = []
  let header: string[] | undefined
  for await (const records of readCsvFile(file)) {
    header ??= records.shift()?.fields
    for (const { fields } of records)
      rows.push(Object.fromEntries(header?.map((name, at) => [name, fields[at] ?? '']) ?? []))
  }
  return rows
}

/** Rows in an order that is always the same and has nothing to do with what is in them. */
function shuffled(rows: readonly Row[]): Row[] {
  const key = (row: Row) => hash('sha256', `${row.source} ${row.source_id}`)
  return rows
    .map(row => ({ row, key: key(row) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ row }) => row)
}

function cell(text = ''): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function writeCsv(file: string, names: readonly string[], rows: readonly Row[]): Promise<void> {
  const lines = [names.join(','), ...rows.map(row => names.map(name => cell(row[name])).join(','))]
  const packed = gzipSync(`${lines.join('\n')}\n`, { level: constants.Z_BEST_COMPRESSION })
  console.log(`${file}: ${rows.length} rows, ${packed.length} bytes`)
  return writeFile(new URL(`../packages/server/data/${file}`, import.meta.url), packed)
}

function chooseSample(rows: readonly Row[], listed: ReadonlySet<string>): Row[] {
  const fit = rows.filter(row => row.name !== '' && row.source_id !== '')
  return Object.entries(shares).flatMap(([source, share]) => {
    const of = fit.filter(row => row.source === source)
    if (source === 'sec_cik') return of.filter(row => listed.has(row.source_id ?? ''))
    if (share === Infinity) return of
    // Only what is plainly no person's name, and has a classification to be found by.
    return shuffled(of.filter(row => row.naics_code !== '' && legalForm.test(row.name ?? ''))).slice(0, share)
  })
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: node scripts/build-sample.ts FOLDER')
const listed = (await readRows(join(folder, 'raw/sec_cik.csv.gz'))).filter(row =>
  exchanges.has(row.Exchange ?? ''),
)
const sample = chooseSample(
  await readRows(join(folder, 'businesses.csv.gz')),
  new Set(listed.map(row => row.source_id ?? '')),
)
await writeCsv('sample-businesses.csv.gz', columns, sample)
await writeCsv(
  'naics.csv.gz',
  ['code', 'title', 'edition', 'level', 'parent_code'],
  await readRows(join(folder, 'naics.csv')),
)
