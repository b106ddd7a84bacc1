import { write } from '../../database/statement.ts'
import type { WriterPool } from '../../database/connections/writer.ts'
import { reasonOf } from '../../jobs/job-log.ts'

/** Deletes expired Idempotency-Keys. Any number of nodes may run it at once. Receipts are kept. */
export interface Reaper {
  /** Deletes all expired keys, and gives how many there were. */
  reap(): Promise<number>
  close(): void
}

interface Settings {
  writers: Pick<WriterPool, 'transaction'>
  log: { warn(details: object, message: string): void }
  /** Default: one hour. */
  pauseMilliseconds?: number
}

/** A small batch, so that its locks are held for a short time. */
const batch = 1000

/** Runs the reaper at an interval. A failed run is logged; the next run makes up for it. */
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
      log.warn({ reason: reasonOf(error) }, 'expired Idempotency-Keys could not be deleted'),
    )
  }, pauseMilliseconds).unref()
  return { reap, close: () => clearInterval(timer) }
}

const reapCommands = write<{ count: number }>('commands_reap', 'select reap_commands($1) as count')
