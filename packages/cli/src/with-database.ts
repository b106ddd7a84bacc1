import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BackupError } from '@wbs/server/backup/backup-error'
import { loadNaics } from '@wbs/server/businesses/import/naics'
import { readConfig } from '@wbs/server/config'
import type { DatabaseAddress } from '@wbs/server/database/connections/connection'
import {
  connectWriter,
  jobsWriterConfig,
  connectOwner,
  openDatabaseServer,
} from '@wbs/server/database/database'
import { migrate } from '@wbs/server/database/migrating/migrate'
import { installJobs } from '@wbs/server/jobs/install-jobs'
import { createJobs, type Jobs } from '@wbs/server/jobs/jobs'

const tell = (_details: object, message: string) => console.error(message)
const log = { info: () => {}, warn: tell, error: tell }

/**
 * Runs `work` on the service's database, migrated and with reference data. A service runs the jobs that it sends. No
 * further step begins once the signal is aborted.
 */
export function withDatabase<T>(
  work: (address: DatabaseAddress, jobs: Jobs) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return withServer(async ({ address }) => {
    signal?.throwIfAborted()
    await migrate(address)
    signal?.throwIfAborted()
    await loadReferenceData(address)
    await installJobs(() => connectOwner(address))
    signal?.throwIfAborted()
    const jobs = createJobs({ connection: jobsWriterConfig(address), log })
    try {
      return await work(address, jobs)
    } finally {
      await jobs.close()
    }
  }, signal)
}

/** The location of the service's database. */
export interface DatabaseLocation {
  address: DatabaseAddress
  /** The data folder of an embedded database; null for that of DATABASE_URL. */
  dataDir: string | null
}

/**
 * Runs `work` on the service's database as it is. An embedded server is shared with a service that uses it, or else
 * started for the duration.
 */
export async function withServer<T>(
  work: (place: DatabaseLocation) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { databaseUrl, dataDir } = readConfig(process.env)
  const server = await openDatabaseServer({ databaseUrl, dataDir, log, signal })
  try {
    return await work({ address: server.address, dataDir: databaseUrl === null ? dataDir : null })
  } finally {
    await server.release()
  }
}

/** Throws BackupError if there is no database to work on. Opening an embedded one would create it. */
export function requireDatabase(work: string): void {
  const { databaseUrl, dataDir } = readConfig(process.env)
  if (databaseUrl === null && !existsSync(join(dataDir, 'postgres')))
    throw new BackupError(
      `There is no database to ${work}: DATABASE_URL is not set, and the data folder SVC_DATA_DIR has none.`,
    )
}

async function loadReferenceData(address: DatabaseAddress): Promise<void> {
  const client = await connectWriter(address)
  try {
    await loadNaics(client)
  } finally {
    await client.end()
  }
}
