import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import { jobKinds, type JobDraft, type JobHandlers } from './job-kinds.ts'
import { reasonOf } from './job-log.ts'
import { deadLetterQueue, openBoss, type BossSettings } from './open-boss.ts'
import { startWorkers } from './start-workers.ts'

/** Runs one statement, in whatever transaction it belongs to. */
export type Execute = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>

/** Work that is done after the change that asked for it: at least once, by whichever node comes to it. */
export interface Jobs {
  /** Writes jobs down through `execute`: they are there if its transaction commits, and never were otherwise. */
  send(execute: Execute, drafts: readonly JobDraft[]): Promise<void>
  /** Begins to carry out jobs. Returns at once; where the database cannot be reached, it goes on trying. */
  work(handlers: JobHandlers): void
  /** Lets what is being done come to its end, for up to ten seconds; what does not is done again by another node. */
  close(): Promise<void>
}

/** Writes jobs down in the transaction that a connection is in. */
export const sendOn =
  (jobs: Pick<Jobs, 'send'>) =>
  (client: pg.Client, drafts: readonly JobDraft[]): Promise<void> =>
    jobs.send((text, values) => client.query(text, values), drafts)

const closeTimeoutMilliseconds = 10_000

/** Jobs in the database. Nothing is loaded, and nothing connects, before it is used. */
export function createJobs(settings: BossSettings): Jobs {
  const closing = new AbortController()
  let opening: Promise<PgBoss> | null = null
  let working: Promise<void> | undefined

  /** After a failure, the next one who asks tries again. */
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
        settings.log.warn({ reason: reasonOf(error) }, 'no jobs can be done yet; it is tried again')
        await pause(milliseconds, undefined, { signal: closing.signal }).catch(() => undefined)
      }
  }

  return {
    async send(execute, drafts) {
      if (drafts.length === 0) return
      const boss = await opened()
      const taken = await Promise.all(
        drafts.map(({ kind, data, due }) =>
          boss.send(kind, data, { db: { executeSql: execute }, ...(due && { startAfter: due }) }),
        ),
      )
      if (taken.includes(null)) throw new Error('A job was not taken.')
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
      const patience = new AbortController()
      await Promise.race([ended, pause(closeTimeoutMilliseconds, undefined, { signal: patience.signal })])
      patience.abort()
      await boss.stop({ graceful: false })
    },
  }
}
