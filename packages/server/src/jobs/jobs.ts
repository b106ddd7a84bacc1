import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import { jobKinds, type JobCause, type JobDraft, type JobHandlers } from './job-kinds.ts'
import { reasonOf } from './job-log.ts'
import { currentTraceparent } from './job-span.ts'
import { deadLetterQueue, openBoss, type BossSettings } from './open-boss.ts'
import { startWorkers } from './start-workers.ts'

/** Runs one statement, in the transaction of its owner. */
export type Execute = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>

/** Background jobs that changes send. Each runs at least once, on any node. */
export interface Jobs {
  /** Inserts jobs by `execute`: they exist if its transaction commits, and never otherwise. */
  send(execute: Execute, drafts: readonly JobDraft[], cause?: JobCause): Promise<void>
  /** Starts the workers. Returns at once, and retries while the database is unreachable. */
  work(handlers: JobHandlers): void
  /** Waits up to ten seconds for running jobs. Those that do not end are run again by another node. */
  close(): Promise<void>
}

/** A cause of which nothing is known is not stored. */
const withCause = (data: object, cause: JobCause): object =>
  Object.keys(cause).length > 0 ? { ...data, cause } : data

/** Sends jobs in the current transaction of a connection. */
export const sendOn =
  (jobs: Pick<Jobs, 'send'>) =>
  (client: pg.Client, drafts: readonly JobDraft[]): Promise<void> =>
    jobs.send((text, values) => client.query(text, values), drafts)

const closeTimeoutMilliseconds = 10_000

/** Opens the jobs lazily: nothing is loaded or connected before the first use. */
export function createJobs(settings: BossSettings): Jobs {
  const closing = new AbortController()
  let opening: Promise<PgBoss> | null = null
  let working: Promise<void> | undefined

  /** After a failure, the next call tries again. */
  function opened(): Promise<PgBoss> {
    if (closing.signal.aborted) return Promise.reject(new Error('The jobs are closed.'))
    opening ??= openBoss(settings).catch((error: unknown) => {
      opening = null
      throw error
    })
    return opening
  }

  async function startUntilItWorks(handlers: JobHandlers): Promise<void> {
    for (let milliseconds = 1_000; !closing.signal.aborted; milliseconds = Math.min(milliseconds * 2, 30_000))
      try {
        return await startWorkers(await opened(), handlers, settings)
      } catch (error) {
        if (closing.signal.aborted) return
        settings.log.warn({ reason: reasonOf(error) }, 'the jobs cannot be started; trying again')
        await pause(milliseconds, undefined, { signal: closing.signal }).catch(() => undefined)
      }
  }

  return {
    async send(execute, drafts, cause = {}) {
      if (drafts.length === 0) return
      const boss = await opened()
      const traceparent = currentTraceparent()
      const taken = await Promise.all(
        drafts.map(({ kind, data, due }) =>
          boss.send(kind, withCause(data, { ...cause, ...(traceparent && !due && { traceparent }) }), {
            db: { executeSql: execute },
            ...(due && { startAfter: due }),
            ...('workspace_id' in data && { group: { id: data.workspace_id } }),
          }),
        ),
      )
      if (taken.includes(null)) throw new Error('A job was not accepted.')
    },
    work(handlers) {
      working ??= startUntilItWorks(handlers)
    },
    async close() {
      closing.abort()
      await working
      const boss = await opening?.catch(() => null)
      if (!boss) return
      const ended = Promise.all([...jobKinds, deadLetterQueue].map(queue => boss.offWork(queue)))
      const timeout = new AbortController()
      await Promise.race([ended, pause(closeTimeoutMilliseconds, undefined, { signal: timeout.signal })])
      timeout.abort()
      await boss.stop({ graceful: false })
    },
  }
}
