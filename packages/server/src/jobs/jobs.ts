import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import { GivenBack } from './give-back.ts'
import { jobKinds, type JobCause, type JobDraft, type JobHandlers } from './job-kinds.ts'
import { reasonOf } from './job-log.ts'
import { currentTraceparent } from './job-span.ts'
import { deadLetterQueue, openBoss, type BossSettings } from './open-boss.ts'
import { startWorkers, type Workers } from './start-workers.ts'

/** Runs one statement, in the transaction of its owner. */
export type Execute = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>

/** Jobs were sent before they were open. Whoever holds a transaction ends it first, because opening takes long. */
export class JobsNotOpen extends Error {
  readonly open: () => Promise<void>
  constructor(open: () => Promise<void>) {
    super('The jobs are not open yet.')
    this.open = open
  }
}

/** Background jobs that changes send. Each runs at least once, on any node. */
export interface Jobs {
  /** Loads and connects what sends jobs, once. */
  open(): Promise<void>
  /** Inserts jobs by `execute`: they exist if its transaction commits, and never otherwise. Throws JobsNotOpen. */
  send(execute: Execute, drafts: readonly JobDraft[], cause?: JobCause): Promise<void>
  /** Starts the workers. Returns at once, and retries while the database is unreachable. */
  work(handlers: JobHandlers): void
  /** Takes no more jobs, and waits for those that run. Jobs can still be sent. */
  stopWorking(): Promise<void>
  /** Gives back jobs that still run, so that another node takes them at once, and closes the connection. */
  close(): Promise<void>
}

/** A cause of which nothing is known is not stored. */
const withCause = (data: object, cause: JobCause): object =>
  Object.keys(cause).length > 0 ? { ...data, cause } : data

/** Sends jobs in the current transaction of a connection that nobody waits for. */
export const sendOn =
  (jobs: Pick<Jobs, 'open' | 'send'>) =>
  async (client: pg.Client, drafts: readonly JobDraft[]): Promise<void> => {
    await jobs.open()
    await jobs.send((text, values) => client.query(text, values), drafts)
  }

/** Nothing is loaded or connected before the first use. */
export function createJobs(settings: BossSettings): Jobs {
  const stopping = new AbortController()
  let closed = false
  let opening: Promise<PgBoss> | null = null
  let open: PgBoss | null = null
  let working: Promise<Workers | undefined> | undefined

  /** After a failure, the next call tries again. */
  function opened(): Promise<PgBoss> {
    if (closed) return Promise.reject(new Error('The jobs are closed.'))
    opening ??= openBoss(settings).then(
      boss => (open = boss),
      (error: unknown) => {
        opening = null
        throw error
      },
    )
    return opening
  }

  const openOnce = async () => void (await opened())

  async function startUntilItWorks(handlers: JobHandlers): Promise<Workers | undefined> {
    for (
      let milliseconds = 1_000;
      !stopping.signal.aborted;
      milliseconds = Math.min(milliseconds * 2, 30_000)
    )
      try {
        return await startWorkers(await opened(), handlers, settings, stopping.signal)
      } catch (error) {
        if (stopping.signal.aborted) return undefined
        settings.log.warn({ reason: reasonOf(error) }, 'the jobs cannot be started; trying again')
        await pause(milliseconds, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    return undefined
  }

  return {
    open: openOnce,
    async send(execute, drafts, cause = {}) {
      if (drafts.length === 0) return
      const boss = open
      if (!boss) throw new JobsNotOpen(openOnce)
      const traceparent = currentTraceparent()
      const taken = await Promise.all(
        drafts.map(({ kind, data, due, priority }) =>
          boss.send(kind, withCause(data, { ...cause, ...(traceparent && !due && { traceparent }) }), {
            db: { executeSql: execute },
            ...(due && { startAfter: due }),
            ...(priority !== undefined && { priority }),
            ...('workspace_id' in data && { group: { id: data.workspace_id } }),
          }),
        ),
      )
      if (taken.includes(null)) throw new Error('A job was not accepted.')
    },
    work(handlers) {
      working ??= startUntilItWorks(handlers)
    },
    async stopWorking() {
      stopping.abort(new GivenBack())
      await working
      const boss = await opening?.catch(() => null)
      if (boss) await Promise.all([...jobKinds, deadLetterQueue].map(queue => boss.offWork(queue)))
    },
    async close() {
      stopping.abort()
      closed = true
      const workers = await working
      await workers?.giveBackAll().catch(() => undefined) // They count as lost when the time of their attempt is over.
      const boss = await opening?.catch(() => null)
      await boss?.stop({ graceful: false })
    },
  }
}
