import { write } from '../../database/statement.ts'
import type { WriterPool } from '../../database/connections/writer.ts'
import { reasonOf } from '../../jobs/job-log.ts'

/** Takes away Idempotency-Keys whose time is over. Any number of nodes may do so at once. */
export interface Reaper {
  /** Takes away all that there is to take, and gives how many. Receipts stay. */
  reap(): Promise<number>
  close(): void
}

interface Settings {
  writers: Pick<WriterPool, 'transaction'>
  log: { warn(details: object, message: string): void }
  /** An hour unless given. */
  pauseMilliseconds?: number
}

/** So many at a time hold no locks for long. */
const batch = 1000

/** Reaps from time to time. What fails is tried again the next time: nobody waits for it. */
export function createReaper({ writers, log, pauseMilliseconds = 3_600_000 }: Settings): Reaper {
  async function reap(): Promise<number> {
    for (let all = 0; ;) {
      const gone = await writers.transaction({ workspace_id: null, user_id: null }, async tx => {
        const [row] = await tx.run(reapCommands, [batch])
        return row?.count ?? 0
      })
      all += gone
      if (gone < batch) return all
    }
  }

  const timer = setInterval(() => {
    reap().catch((error: unknown) =>
      log.warn({ reason: reasonOf(error) }, 'what has had its time could not be taken away'),
    )
  }, pauseMilliseconds).unref()
  return { reap, close: () => clearInterval(timer) }
}

const reapCommands = write<{ count: number }>('commands_reap', 'select reap_commands($1) as count')
