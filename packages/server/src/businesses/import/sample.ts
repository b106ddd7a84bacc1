import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { ImportOptions, ImportResult } from './import-businesses.ts'

interface Log {
  info(details: object, message: string): void
}

const businesses = fileURLToPath(new URL('../../../data/sample-businesses.csv.gz', import.meta.url))
const sources = fileURLToPath(new URL('../../../data/sources.csv', import.meta.url))

/**
 * Publishes the sample Businesses of the service, once in the life of a database: later changes of them, withdrawals included,
 * stay. If it is interrupted, it continues at the next start. NAICS codes must be loaded.
 */
export async function loadSample(
  connect: () => Promise<pg.Client>,
  sendJobs: ImportOptions['sendJobs'],
  log: Log,
  signal?: AbortSignal,
): Promise<void> {
  if (await isLoaded(connect)) return
  log.info({}, 'loading the sample Businesses, this once')
  const { created, seconds } = await importSample(connect, sendJobs, signal)
  await markLoaded(connect)
  log.info({ businesses: created, seconds: Number(seconds.toFixed(1)) }, 'the sample Businesses are there')
}

async function importSample(
  connect: () => Promise<pg.Client>,
  sendJobs: ImportOptions['sendJobs'],
  signal: AbortSignal | undefined,
): Promise<ImportResult> {
  // The import is loaded at the first start alone.
  const { importBusinesses } = await import('./import-businesses.ts')
  const folder = await mkdtemp(join(tmpdir(), 'wbs-sample-'))
  try {
    const rejectsFile = join(folder, 'rejects.csv')
    const result = await importBusinesses({
      connect,
      files: [businesses],
      publish: true,
      rejectsFile,
      sourceCatalogue: sources,
      sendJobs,
      signal,
    })
    if (result.rejected > 0)
      throw new Error(
        `The sample that the service brings along has ${result.rejected} rows that it cannot take: ${await readFile(rejectsFile, 'utf8')}`,
      )
    return result
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function isLoaded(connect: () => Promise<pg.Client>): Promise<boolean> {
  return withClient(connect, async client => {
    const { rowCount } = await client.query(`select from reference_data where name = 'sample-businesses'`)
    return rowCount === 1
  })
}

async function markLoaded(connect: () => Promise<pg.Client>): Promise<void> {
  const digest = createHash('sha256')
    .update(await readFile(businesses))
    .digest('hex')
  await withClient(connect, client =>
    client.query(
      `insert into reference_data (name, digest) values ('sample-businesses', $1) on conflict do nothing`,
      [digest],
    ),
  )
}

async function withClient<T>(
  connect: () => Promise<pg.Client>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
