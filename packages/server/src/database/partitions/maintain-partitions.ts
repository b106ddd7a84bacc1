import type pg from 'pg'
import { codeOf, isLockTimeout } from '../faults.ts'
import { commandDays, type Retention } from './retention-settings.ts'

/** What was done to the partitions. */
export interface PartitionChanges {
  /** The numbers of the periods whose partitions were created. */
  created: number[]
  /** The tables that were dropped. */
  dropped: string[]
}

/** How long a change may wait for the lock of a creation or removal. */
const lockTimeout = '200ms'

/**
 * Creates the partitions of the next calendar month, and drops those whose rows are all past their retention, as
 * svc_owner. Any number of nodes may run it at once. Throws a lock timeout if other statements hold a table for too long;
 * then run it again later.
 */
export async function maintainPartitions(
  owner: pg.ClientBase,
  retention: Retention,
): Promise<PartitionChanges> {
  const changes: PartitionChanges = { created: [], dropped: [] }
  await alone(owner, async () => {
    const { rows } = await owner.query<{ number: number }>(addNextPeriod)
    changes.created.push(...rows.map(({ number }) => number))
  })
  const { rows } = await owner.query<Droppable>(droppable, [
    commandDays,
    retention.receipt_days,
    retention.event_days,
  ])
  for (const partition of rows) if (await drop(owner, partition)) changes.dropped.push(nameOf(partition))
  return changes
}

interface Droppable {
  parent: 'commands' | 'receipts' | 'events'
  number: number
}

const nameOf = ({ parent, number }: Droppable): string => `${parent}_${number}`

/** Drops a partition. Gives false if it was dropped already, or must stay. */
async function drop(owner: pg.ClientBase, partition: Droppable): Promise<boolean> {
  const { parent, number } = partition
  return alone(owner, async () => {
    const { rowCount } = await owner.query(
      'select from history_periods where number = $1 and $2::text <> all (dropped)',
      [number, parent],
    )
    if (rowCount === 0 || (parent === 'commands' && (await hasLiveKeys(owner, partition)))) return false
    await owner.query('update history_periods set dropped = dropped || $2::text where number = $1', [
      number,
      parent,
    ])
    await owner.query(`drop table svc.${nameOf(partition)}`)
    return true
  })
}

/** Whether a key has not expired. It is looked for although none can be there, because dropping it would repeat a change. */
async function hasLiveKeys(owner: pg.ClientBase, partition: Droppable): Promise<boolean> {
  const { rows } = await owner.query<{ live: boolean }>(
    `select exists (select from svc.${nameOf(partition)} where expires_at is null or expires_at > now()) as live`,
  )
  return rows[0]?.live ?? true
}

/** Runs `work` in a transaction that no other node's runs beside. */
async function alone<T>(owner: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await owner.query('begin')
  try {
    await owner.query(`set local lock_timeout = '${lockTimeout}'`)
    await owner.query('lock table history_periods in share row exclusive mode')
    const result = await work()
    await owner.query('commit')
    return result
  } catch (error) {
    await owner.query('rollback').catch(() => undefined) // the connection itself may have failed
    throw error
  }
}

const addNextPeriod = `
  with next as (
    select max(number) + 1 as number, date_trunc('month', now(), 'UTC') + interval '1 month' as starts_at
    from history_periods having max(starts_at) <= now()
  )
  select number, add_history_period(number, starts_at) from next`

// A period ends when the next one begins. A receipt stays at least as long as its command, which is answered with it.
const droppable = `
  select parent, number
  from history_periods p
  cross join lateral (select min(starts_at) as ends_at from history_periods next where next.number = p.number + 1) span
  cross join unnest(array['commands', 'receipts', 'events'], array[$1, $2, $3]::float8[]) as kept (parent, days)
  where parent <> all (dropped) and ends_at + make_interval(secs => days * 86400) < now()
    and (parent <> 'receipts' or ends_at + make_interval(days => $1::integer) < now())
  order by array_position(array['commands', 'receipts', 'events'], parent), number`

interface Settings {
  connectOwner: () => Promise<pg.Client>
  retention: Retention
  log: { info(details: object, message: string): void; warn(details: object, message: string): void }
  /** Between two runs. Default: one hour. */
  pauseMilliseconds?: number
  /** Between two attempts if a table is held. Default: ten seconds. */
  retryMilliseconds?: number
}

/** Maintains the partitions now and at an interval. A failed run is logged; the next run makes up for it. */
export function startMaintainingPartitions(settings: Settings): { stop(): Promise<void> } {
  const { connectOwner, retention, log, pauseMilliseconds = 3_600_000, retryMilliseconds = 10_000 } = settings
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()

  async function once(): Promise<void> {
    const owner = await connectOwner()
    try {
      const { created, dropped } = await maintainPartitions(owner, retention)
      if (created.length + dropped.length > 0)
        log.info({ created, dropped }, 'partitions were created or dropped')
    } finally {
      await owner.end()
    }
  }

  function run(attemptsLeft = 5): void {
    running = once()
      .then(() => pauseMilliseconds)
      .catch((error: unknown) => {
        if (stopping.signal.aborted) return pauseMilliseconds
        if (isLockTimeout(error) && attemptsLeft > 1) return retryMilliseconds
        log.warn({ reason: codeOf(error) }, 'partitions could not be maintained; the next run tries again')
        return pauseMilliseconds
      })
      .then(pause => {
        if (stopping.signal.aborted) return
        timer = setTimeout(() => run(pause === retryMilliseconds ? attemptsLeft - 1 : 5), pause).unref()
      })
  }

  run()
  return {
    stop() {
      stopping.abort()
      clearTimeout(timer)
      return running
    },
  }
}
