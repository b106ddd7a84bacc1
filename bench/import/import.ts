import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { importBusinesses } from '../../packages/server/src/businesses/import/import-businesses.ts'
import { readCsvFile } from '../../packages/server/src/businesses/import/open-input.ts'
import { loadNaics } from '../../packages/server/src/businesses/import/naics.ts'
import { connectWriter, openDatabaseServer } from '../../packages/server/src/database/database.ts'
import type { DatabaseAddress } from '../../packages/server/src/database/connections/connection.ts'
import { migrate } from '../../packages/server/src/database/migrating/migrate.ts'
import { median, rounded } from '../quantiles.ts'
import { writeResults } from '../results.ts'

const tell = (line: string) => console.error(`# ${line}`)
const data = (name: string) => fileURLToPath(new URL(`../../packages/server/data/${name}`, import.meta.url))

/** The tables that an import fills, in an order that foreign keys allow, with the order of the rows. */
const tables = {
  businesses: 'id',
  business_classifications: 'business_id',
  business_locations: 'business_id',
  business_identifiers: 'business_id',
  business_sources: 'business_id',
  published_businesses: 'id',
}

/**
 * Compares the import with a plain `\copy` of prepared files into the same tables, with indexes and foreign keys in
 * place, in one run on one server: `--file F` (default: the sample), `--rounds N`. The ratio is of speeds: 1 is as fast
 * as `\copy`, which validates, matches, folds and projects nothing.
 */
export async function run(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      file: { type: 'string', default: data('sample-businesses.csv.gz') },
      rounds: { type: 'string', default: '3' },
    },
  })
  const folder = await mkdtemp(join(tmpdir(), 'wbs-bench-'))
  const server = await openDatabaseServer({
    databaseUrl: null,
    dataDir: folder,
    log: { info: () => {}, warn: () => {} },
  })
  try {
    await migrate(server.address)
    const sources = join(folder, 'sources.csv')
    await writeFile(sources, await catalogueFor(values.file))
    const rounds = []
    for (let round = 1; round <= Number(values.rounds); round++) {
      rounds.push(await measure({ address: server.address, file: values.file, sources, folder }))
      tell(`round ${round} of ${values.rounds}: ${JSON.stringify(rounds.at(-1))}`)
    }
    const ratios = rounds.map(({ import_seconds, copy_seconds }) => copy_seconds / import_seconds)
    const figures = {
      file: basename(values.file),
      rows: rounds[0]?.rows,
      of_copy: rounded(median(ratios)),
      worst: rounded(Math.min(...ratios)),
      rounds,
    }
    console.log(JSON.stringify(figures, null, 2))
    tell(`written to ${writeResults('import', figures)}`)
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Measured {
  address: DatabaseAddress
  file: string
  sources: string
  folder: string
}

async function measure({ address, file, sources, folder }: Measured) {
  const admin = new Client({ ...address, options: '-c search_path=svc,public -c jit=off' })
  await admin.connect()
  try {
    await loadReferenceData(address)
    const options = {
      connect: () => connectWriter(address),
      sendJobs: async () => {},
      files: [file],
      publish: true,
      sourceCatalogue: sources,
    }
    await admin.query('checkpoint')
    const first = await importBusinesses({ ...options, rejectsFile: join(folder, 'rejects.csv') })
    const again = await importBusinesses({ ...options, rejectsFile: join(folder, 'rejects.csv') })
    if (first.created !== again.unchanged)
      throw new Error(`${first.created} rows came in, but ${again.unchanged} were known again`)
    for (const [table, order] of Object.entries(tables)) await unload(admin, folder, table, order)
    await admin.query('truncate businesses cascade')
    await admin.query('checkpoint')
    const began = performance.now()
    for (const table of Object.keys(tables)) await load(admin, folder, table)
    const copySeconds = (performance.now() - began) / 1000
    await admin.query('truncate businesses cascade')
    return {
      rows: first.read,
      rejected: first.rejected,
      import_seconds: rounded(first.seconds),
      import_rows_per_second: Math.round(first.read / first.seconds),
      unchanged_seconds: rounded(again.seconds),
      copy_seconds: rounded(copySeconds),
    }
  } finally {
    await admin.end()
  }
}

async function loadReferenceData(address: DatabaseAddress): Promise<void> {
  const client = await connectWriter(address)
  await loadNaics(client)
  await client.end()
}

const unload = (client: Client, folder: string, table: string, order: string) =>
  pipeline(
    client.query(copyTo(`copy (select * from ${table} order by ${order}) to stdout`)),
    createWriteStream(join(folder, table)),
  )

const load = (client: Client, folder: string, table: string) =>
  pipeline(
    createReadStream(join(folder, table), { highWaterMark: 256 * 1024 }),
    client.query(copyFrom(`copy ${table} from stdin`)),
  )

/** The catalogue of the sample, and an entry for every other source that the file names. */
async function catalogueFor(file: string): Promise<string> {
  const catalogue = await readFile(data('sources.csv'), 'utf8')
  const named = new Set<string>()
  for await (const records of readCsvFile(file)) for (const { fields } of records) named.add(fields[0] ?? '')
  const missing = [...named].filter(
    name => /^[a-z0-9_]+$/.test(name) && name !== 'source' && !catalogue.includes(`\n${name},`),
  )
  return catalogue + missing.map(name => `${name},${name},benchmark,,benchmark,,,\n`).join('')
}
