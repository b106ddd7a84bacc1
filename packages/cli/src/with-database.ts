import { loadNaics } from '@wbs/server/businesses/naics'
import { readConfig } from '@wbs/server/config'
import type { DatabaseAddress } from '@wbs/server/database/connection'
import { connectWriter, openDatabaseServer } from '@wbs/server/database/database'
import { migrate } from '@wbs/server/database/migrate'

const log = { info: () => {}, warn: (_details: object, message: string) => console.error(message) }

/**
 * Works on the service's database, ready for use. The embedded one is shared with a service that runs on it, or else
 * started for the while.
 */
export async function withDatabase<T>(work: (address: DatabaseAddress) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir } = readConfig(process.env)
  const server = await openDatabaseServer({ databaseUrl, dataDir, log })
  try {
    await migrate(server.address)
    await loadReferenceData(server.address)
    return await work(server.address)
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
