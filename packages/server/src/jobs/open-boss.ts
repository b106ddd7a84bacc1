import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import { jobsSchema } from './install-jobs.ts'
import { jobKinds, jobRules } from './job-kinds.ts'
import { logThrottled, reasonOf, type JobLog } from './job-log.ts'

export interface BossSettings {
  /** How svc_writer connects: on one connection. */
  connection: pg.ClientConfig
  log: JobLog
  /** Makes everything happen sooner, for tests: in seconds. */
  pace?: { poll: number; firstPause: number; supervise: number; attempt: number }
}

/** Where jobs end that failed at every attempt. */
export const deadLetterQueue = 'given_up'

const day = 24 * 3600

/** Loads the library, connects, and sees to it that there is a queue for each kind of job. */
export async function openBoss({ connection, log, pace }: BossSettings): Promise<PgBoss> {
  // It takes longer to load than the rest of the service, which need not wait for it.
  const { PgBoss: Boss } = await import('pg-boss')
  const boss = new Boss({
    ...(connection as object),
    schema: jobsSchema,
    max: 1,
    // The tables are there by now. Were it not to look after them, it would refuse those of a newer version of the service,
    // whose migrations say whether this one can run with them.
    migrate: true,
    bamIntervalSeconds: day,
    schedule: false,
    // To notify takes a lock of the whole database at the commit, so that all changes with a job would wait for each other.
    useListenNotify: false,
    // Both are for the owner of the tables, and these stay small.
    reindex: false,
    monitorVacuum: false,
    // No job waits for another: to look for such every five seconds, as is usual, is a write each time.
    flowIntervalSeconds: day,
    superviseIntervalSeconds: pace?.supervise ?? 60,
    monitorIntervalSeconds: pace?.supervise ?? 60,
  })
  const troubled = logThrottled(log, 'the jobs are in trouble')
  boss.on('error', error => troubled(reasonOf(error)))
  boss.on('warning', () => troubled('warning'))
  try {
    await boss.start()
    await prepareQueues(boss, pace)
    return boss
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined)
    throw error
  }
}

/** The queues are there, and go by the rules of this version. */
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
      retentionSeconds: 30 * day,
      deleteAfterSeconds: 7 * day,
      deadLetter: deadLetterQueue,
      // Said, since queues that the release before made do notify.
      notify: false,
    }
    await boss.createQueue(kind, options)
    await boss.updateQueue(kind, options)
  }
}
