import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** The connections of one import. Each processes its own part of the rows. */
export interface Sessions extends AsyncDisposable {
  clients: readonly [pg.Client, pg.Client]
}

/** Opens two connections, because one uses no more than one core of the database server. */
export async function openSessions(connect: () => Promise<pg.Client>): Promise<Sessions> {
  const opened: pg.Client[] = []
  const open = async () => {
    const client = await connect()
    opened.push(client)
    // A broken connection fails its statement; an unhandled error event would also end the process.
    client.on('error', () => undefined)
    // These connections sort and match whole files.
    await client.query(`set work_mem = '64MB'`)
    await client.query(`set temp_buffers = '64MB'`)
    return client
  }
  const close = async () => {
    await Promise.allSettled(opened.map(client => client.end()))
  }
  try {
    return { clients: [await open(), await open()], [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Waits until no other import runs. The lock lasts as long as the connection. */
export async function waitForImportLock(
  client: pg.Client,
  signal: AbortSignal,
  onWait: () => void,
): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ acquired: boolean }>(
      `select pg_try_advisory_lock(hashtext('svc.import')) as acquired`,
    )
    if (rows[0]?.acquired) return
    onWait()
    // Polls instead of waiting in the database, so that the signal ends the wait at once.
    await sleep(250, undefined, { signal })
  }
}

/**
 * Processes all items at the same time. If one fails, `stopped` is aborted for the others; after all have ended, the first
 * error is thrown.
 */
export async function runAll<T, R>(
  all: readonly T[],
  work: (one: T, stopped: AbortSignal) => Promise<R>,
): Promise<R[]> {
  const stop = new AbortController()
  const failures: unknown[] = []
  const results = await Promise.allSettled(
    all.map(session =>
      work(session, stop.signal).catch((error: unknown) => {
        failures.push(error)
        stop.abort()
        throw error
      }),
    ),
  )
  if (failures.length > 0) throw failures[0]
  return results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
}
