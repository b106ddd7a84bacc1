import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadNaics } from '@wbs/server/businesses/import/naics'
import { readConfig } from '@wbs/server/config'
import type { DatabaseAddress } from '@wbs/server/database/connections/connection'
import {
  connectWriter,
  jobsWriterConfig,
  jobsOwnerConfig,
  openDatabaseServer,
} from '@wbs/server/database/database'
import { migrate } from '@wbs/server/database/migrating/migrate'
import { installJobs } from '@wbs/server/jobs/install-jobs'
import { createJobs, type Jobs } from '@wbs/server/jobs/jobs'

const tell = (_details: object, message: string) => console.error(message)
const log = { info: () => {}, warn: tell, error: tell }

/**
 * Works on the service's database, ready for use; jobs that are asked for are done by a service. When the signal comes,
 * nothing more is begun.
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
    await installJobs(jobsOwnerConfig(address))
    signal?.throwIfAborted()
    const jobs = createJobs({ connection: jobsWriterConfig(address), log })
    try {
      return await work(address, jobs)
    } finally {
      await jobs.close()
    }
  }, signal)
}

/** Where the service's database is. */
export interface DatabaseLocation {
  address: DatabaseAddress
  /** The data folder of an embedded one; null for one that DATABASE_URL names. */
  dataDir: string | null
}

/**
 * Works on the service's database as it is. The embedded one is shared with a service that runs on it, or else started
 * for the while.
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

/** Whether there is a database to work on: opening the embedded one would make it. */
export function hasDatabase(): boolean {
  const { databaseUrl, dataDir } = readConfig(process.env)
  return databaseUrl !== null || existsSync(join(dataDir, 'postgres'))
}

async function loadReferenceData(address: DatabaseAddress): Promise<void> {
  const client = await connectWriter(address)
  try {
    await loadNaics(client)
  } finally {
    await client.end()
  }
}
