import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** The connections of one import, each with its own share of the rows. */
export interface Sessions extends AsyncDisposable {
  clients: readonly [pg.Client, pg.Client]
}

/** Opens two connections, since one keeps no more than one core busy. */
export async function openSessions(connect: () => Promise<pg.Client>): Promise<Sessions> {
  const opened: pg.Client[] = []
  const open = async () => {
    const client = await connect()
    opened.push(client)
    // A connection that breaks fails the statement under way; unheard, this would end the process.
    client.on('error', () => undefined)
    // Sorting and matching a whole file is what these connections are for.
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

/** Waits until no other import runs; the turn lasts as long as the connection. */
export async function takeTurn(client: pg.Client, signal: AbortSignal, onWait: () => void): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>(
      `select pg_try_advisory_lock(hashtext('svc.import')) as mine`,
    )
    if (rows[0]?.mine) return
    onWait()
    // Asking again, instead of waiting in the database, lets the signal end it at once.
    await sleep(250, undefined, { signal })
  }
}

/** Works on all at once. When one fails, `stopped` tells the others; once all have ended its error is thrown. */
export async function onEach<T, R>(
  all: readonly T[],
  work: (one: T, stopped: AbortSignal) => Promise<R>,
): Promise<R[]> {
  const stop = new AbortController()
  const failures: unknown[] = []
  const results = await Promise.allSettled(
    all.map(one =>
      work(one, stop.signal).catch((error: unknown) => {
        failures.push(error)
        stop.abort()
        throw error
      }),
    ),
  )
  if (failures.length > 0) throw failures[0]
  return results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
}
