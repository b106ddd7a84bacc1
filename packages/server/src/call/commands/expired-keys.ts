import { write } from '../../database/statement.ts'
import type { WriterPool } from '../../database/connections/writer.ts'
import { reasonOf } from '../../jobs/job-log.ts'

/** Deletes expired Idempotency-Keys. Any number of nodes may run it at once. Receipts are kept. */
export interface KeyCleanup {
  /** Deletes all expired keys, and gives how many there were. */
  deleteAll(): Promise<number>
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

/** Runs the cleanup at an interval. A failed run is logged; the next run makes up for it. */
export function createKeyCleanup({ writers, log, pauseMilliseconds = 3_600_000 }: Settings): KeyCleanup {
  async function deleteAll(): Promise<number> {
    for (let all = 0; ;) {
      const gone = await writers.transaction({ workspace_id: null, user_id: null }, async tx => {
        const [row] = await tx.run(deleteExpiredKeys, [batch])
        return row?.count ?? 0
      })
      all += gone
      if (gone < batch) return all
    }
  }

  const timer = setInterval(() => {
    deleteAll().catch((error: unknown) =>
      log.warn({ reason: reasonOf(error) }, 'expired Idempotency-Keys could not be deleted'),
    )
  }, pauseMilliseconds).unref()
  return { deleteAll, close: () => clearInterval(timer) }
}

const deleteExpiredKeys = write<{ count: number }>('expired_keys_delete', 'select reap_commands($1) as count')
