import { loadNaics } from '@wbs/server/businesses/naics'
import { readConfig } from '@wbs/server/config'
import type { DatabaseAddress } from '@wbs/server/database/connection'
import { connectWriter, jobsConnection, jobsOwner, openDatabaseServer } from '@wbs/server/database/database'
import { migrate } from '@wbs/server/database/migrate'
import { installJobs } from '@wbs/server/jobs/install-jobs'
import { createJobs, type Jobs } from '@wbs/server/jobs/jobs'

const tell = (_details: object, message: string) => console.error(message)
const log = { info: () => {}, warn: tell, error: tell }

/**
 * Works on the service's database, ready for use; jobs that are asked for are done by a service. The embedded one is shared with a service that runs on it, or else
 * started for the while. When the signal comes, nothing more is begun.
 */
export async function withDatabase<T>(
  work: (address: DatabaseAddress, jobs: Jobs) => Promise<T>,
  signal: AbortSignal = new AbortController().signal,
): Promise<T> {
  const { databaseUrl, dataDir } = readConfig(process.env)
  const server = await openDatabaseServer({ databaseUrl, dataDir, log, signal })
  try {
    signal.throwIfAborted()
    await migrate(server.address)
    signal.throwIfAborted()
    await loadReferenceData(server.address)
    await installJobs(jobsOwner(server.address))
    signal.throwIfAborted()
    const jobs = createJobs({ connection: jobsConnection(server.address), log })
    try {
      return await work(server.address, jobs)
    } finally {
      await jobs.close()
    }
  } finally {
    await server.release()
  }
}

async function loadReferenceData(address: DatabaseAddress): Promise<void> {
  const client = await connectWriter(address)
  try {
    await loadNaics(client)
  } finally {
    await client.end()
  }
}
