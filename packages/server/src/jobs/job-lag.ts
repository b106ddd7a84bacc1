import { setTimeout as pause } from 'node:timers/promises'
import type { Meter } from '@opentelemetry/api'
import { jobsSchema } from './install-jobs.ts'
import { jobKinds } from './job-kinds.ts'

/** The jobs of a kind that are due and wait for a worker of any node. */
interface WaitingJobs {
  kind: string
  waiting: number
  /** For how many seconds the oldest of them has been due. */
  oldest: number
}

/**
 * Reads the jobs that are due. Every node reports the same numbers, since all share the queues. Jobs that are due later do not
 * wait, and count only once they are due.
 */
export const jobLagSql = `select name as kind, count(*)::int as waiting,
    greatest(0, extract(epoch from now() - min(start_after)))::float8 as oldest
  from ${jobsSchema}.job
  where state < 'active' and not blocked and start_after <= now()
  group by name`

interface LagSettings {
  meter: Meter
  /** Runs `jobLagSql` as svc_writer, with a short timeout. */
  read(): Promise<readonly object[]>
  /** How often the jobs are read at most, how long a scrape waits for that, and how old a result may be: in milliseconds. */
  pace?: { pause: number; patience: number; oldest: number }
}

const usualPace = { pause: 10_000, patience: 250, oldest: 60_000 }

/**
 * Shows how many jobs wait and for how long. The database is read when somebody looks, by one statement at a time; whoever looks
 * does not wait long, and gets the last result, or NaN if that is old.
 */
export function measureJobLag({ meter, read, pace = usualPace }: LagSettings): void {
  const waiting = meter.createObservableGauge('svc.jobs.waiting', {
    description:
      'Jobs that are due and wait for a worker of any node. Every node reports the same; NaN if it could not be read for a minute.',
  })
  const oldest = meter.createObservableGauge('svc.jobs.oldest_age', {
    unit: 's',
    description:
      'For how long the oldest job that waits has been due, in seconds. Every node reports the same.',
  })
  let known: { rows: readonly WaitingJobs[]; at: number } | null = null
  let reading: Promise<void> | null = null
  let askedAt = -Infinity

  async function refresh(): Promise<void> {
    askedAt = performance.now()
    try {
      known = { rows: (await read()) as readonly WaitingJobs[], at: performance.now() }
    } catch {
      // The metrics of the database say that it cannot be read; these become old and are left out.
    }
    reading = null
  }

  meter.addBatchObservableCallback(
    async result => {
      if (!reading && performance.now() - askedAt >= pace.pause) reading = refresh()
      if (reading) await Promise.race([reading, pause(pace.patience, undefined, { ref: false })])
      if (!known) return
      // The SDK repeats what was observed earlier, so an old number is replaced by none.
      const unknown = performance.now() - known.at > pace.oldest ? NaN : 0
      const found = new Map(known.rows.map(row => [row.kind, row]))
      for (const kind of jobKinds) {
        result.observe(waiting, (found.get(kind)?.waiting ?? 0) + unknown, { kind })
        result.observe(oldest, (found.get(kind)?.oldest ?? 0) + unknown, { kind })
      }
    },
    [waiting, oldest],
  )
}
