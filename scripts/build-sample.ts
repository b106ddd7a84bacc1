// Builds the data files that the server ships, from a folder of public data. Run it by hand when that data changes:
// node scripts/build-sample.ts FOLDER. The folder contains naics.csv (code, title, edition, level, parent_code),
// businesses.csv.gz (the columns of an import) and raw/sec_cik.csv.gz (source_id, Exchange). Only works of the U.S.
// government are included: see packages/server/data/sources.csv. The same folder always gives the same files.
import { hash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import { readCsvFile } from '../packages/server/src/businesses/import/open-input.ts'
import { columns as importColumns } from '../packages/server/src/businesses/import/rows/columns.ts'

type Row = Record<string, string>

const columns = importColumns.required

/**
 * How many rows to take of each source, spread over all of it; none of those not listed. In total no more than the
 * first start loads in a few seconds.
 */
const shares: Record<string, number> = {
  cms_hospitals: 2000,
  fdic_closed: 1500,
  fsis_mpi: 1500,
  ipeds_hd2022: Infinity,
  ncua_foicu: Infinity,
  sec_cik: Infinity,
  sba_ppp_ga: 1500,
  sba_ppp_ma: 1200,
  sba_ppp_mt: 1200,
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

/** A pseudo-random order that is always the same and does not depend on the content of the rows. */
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
  return Object.entries(shares).flatMap(([source, share]) =>
    shuffled(fit.filter(row => row.source === source && isInteresting(row, listed))).slice(0, share),
  )
}

/** Of companies, the listed ones; of borrowers, those that are clearly not persons and have a classification. */
function isInteresting(
  { source = '', source_id = '', name = '', naics_code }: Row,
  listed: ReadonlySet<string>,
) {
  if (source === 'sec_cik') return listed.has(source_id)
  return !source.startsWith('sba_ppp') || (naics_code !== '' && legalForm.test(name))
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
