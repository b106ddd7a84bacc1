import type { Meter, Tracer } from '@opentelemetry/api'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import { jobsSchema } from './install-jobs.ts'
import { jobKinds, jobRules } from './job-kinds.ts'
import { logThrottled, reasonOf, type JobLog } from './job-log.ts'

export interface BossSettings {
  /** How svc_writer connects; one connection is used. */
  connection: pg.ClientConfig
  log: JobLog
  /** Default: nothing is measured. */
  meter?: Meter
  /** Traces jobs; by default none is traced. */
  tracer?: Tracer | undefined
  /** Shorter intervals for tests, in seconds. */
  pace?: { poll: number; firstPause: number; supervise: number; attempt: number }
}

/** The queue of jobs that failed at every attempt. */
export const deadLetterQueue = 'given_up'

const day = 24 * 3600

/** Loads and starts pg-boss, and creates a queue for each kind of job. */
export async function openBoss({ connection, log, pace }: BossSettings): Promise<PgBoss> {
  // Loaded here, because it takes longer to load than the rest of the service.
  const { PgBoss: Boss } = await import('pg-boss')
  const boss = new Boss({
    ...(connection as object),
    schema: jobsSchema,
    max: 1,
    // The tables exist by now. Without `migrate`, pg-boss would refuse those of a newer version, although the
    // migrations of the service decide whether this version can run with them.
    migrate: true,
    bamIntervalSeconds: day,
    schedule: false,
    // NOTIFY takes a lock on the whole database at commit, so all changes with a job would wait for each other.
    useListenNotify: false,
    // Both need the owner of the tables, and the tables stay small.
    reindex: false,
    monitorVacuum: false,
    // No job depends on another. By default pg-boss looks for such jobs every five seconds, which is a write each time.
    flowIntervalSeconds: day,
    superviseIntervalSeconds: pace?.supervise ?? 60,
    monitorIntervalSeconds: pace?.supervise ?? 60,
  })
  const troubled = logThrottled(log, 'pg-boss reported an error')
  boss.on('error', error => troubled(reasonOf(error)))
  boss.on('warning', () => troubled('warning'))
  try {
    await boss.start()
    await prepareQueues(boss, pace)
    await knowQueues(boss)
    return boss
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined)
    throw error
  }
}

/** Creates the queues, and updates their rules to those of this version. */
async function prepareQueues(boss: PgBoss, pace: BossSettings['pace']): Promise<void> {
  await boss.createQueue(deadLetterQueue, { retentionSeconds: 30 * day, deleteAfterSeconds: 30 * day })
  for (const kind of jobKinds) {
    const rules = jobRules[kind]
    const options = {
      retryLimit: rules.retries,
      retryDelay: pace?.firstPause ?? rules.firstPauseSeconds,
      retryBackoff: true,
      retryDelayMax: rules.longestPauseSeconds,
      expireInSeconds: pace?.attempt ?? rules.attemptSeconds,
      ...(rules.heartbeatSeconds !== undefined && { heartbeatSeconds: rules.heartbeatSeconds }),
      retentionSeconds: 30 * day,
      deleteAfterSeconds: 7 * day,
      deadLetter: deadLetterQueue,
      // Set explicitly, because queues of the previous release do notify.
      notify: false,
    }
    await boss.createQueue(kind, options)
    await boss.updateQueue(kind, options)
  }
}

const noJob = '00000000-0000-0000-0000-000000000000'

/**
 * pg-boss looks a queue up when it first uses it, over its own connection. The first job of a kind is sent in the transaction of
 * a change, which must not wait for that.
 */
async function knowQueues(boss: PgBoss): Promise<void> {
  for (const kind of jobKinds) await boss.getJobById(kind, noJob)
}
