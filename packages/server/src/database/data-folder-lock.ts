import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openConnection, type DatabaseAddress } from './connections/connection.ts'
import { DataFolderInUse } from './refusals.ts'

const attempts = 30
const pauseMilliseconds = 100
const lockKey = 7_230_145

/**
 * Locks the data folder for this process until the returned function is called: an advisory lock on a connection of its
 * own, which a crash releases. Waits three seconds, which outlasts the end of a killed process. Throws DataFolderInUse,
 * and the reason of the signal when it is aborted.
 */
export async function lockDataFolder(
  address: DatabaseAddress,
  dataDir: string,
  signal?: AbortSignal,
): Promise<() => Promise<void>> {
  // A restart of the database server loses the lock. The service goes on; the next start checks again.
  const client = await openConnection({
    ...address,
    application_name: 'wbs holds the data folder',
    connectionTimeoutMillis: 5000,
  })
  try {
    if (await tryToLock(client, signal)) return () => client.end().catch(() => undefined)
  } catch (error) {
    await client.end()
    throw error
  }
  await client.end()
  throw new DataFolderInUse(
    `Another service is running on the data folder ${dataDir}; stop it, or set SVC_DATA_DIR to another folder.`,
  )
}

async function tryToLock(client: pg.Client, signal: AbortSignal | undefined): Promise<boolean> {
  for (let tries = 0; tries < attempts; tries++) {
    const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_lock(${lockKey}) as held`)
    if (rows[0]?.held) return true
    await sleep(pauseMilliseconds, undefined, { signal })
  }
  return false
}
