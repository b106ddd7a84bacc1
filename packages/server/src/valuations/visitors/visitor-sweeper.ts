import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'

/** Deletes valuations of visitors at an interval. Any number of nodes may run it at once. */
export interface VisitorSweeper {
  /** Deletes all whose time is over, and gives how many there were. */
  sweep(): Promise<number>
  /** Stops after the current batch, and waits for it. */
  close(): Promise<void>
}

interface Settings {
  writers: {
    transaction<T>(
      scope: { workspace_id: null; user_id: null },
      work: (tx: Transaction) => Promise<T>,
    ): Promise<T>
  }
  log: { warn(details: object, message: string): void }
  /** Between two runs. Default: one hour. */
  pauseMilliseconds?: number
  /** Until the first run. Default: two minutes, or the pause if it is shorter, so that a node that is often restarted runs it too. */
  firstMilliseconds?: number
}

/** A small batch, so that its locks are held for a short time. */
const batch = 100

/** A failed run is logged; the next one makes up for it. */
export function createVisitorSweeper({
  writers,
  log,
  pauseMilliseconds = 3_600_000,
  firstMilliseconds = Math.min(pauseMilliseconds, 120_000),
}: Settings): VisitorSweeper {
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()

  async function sweep(): Promise<number> {
    for (let all = 0; ;) {
      if (closed) return all
      const gone = await writers.transaction({ workspace_id: null, user_id: null }, async tx => {
        return (await tx.run(visitorValuationsDelete, { limit: batch })).length
      })
      all += gone
      if (gone < batch) return all
    }
  }

  async function run(): Promise<void> {
    await sweep().catch((error: unknown) => {
      const reason = error instanceof Error ? error.name : 'unknown'
      log.warn({ reason }, 'expired valuations of visitors could not be deleted')
    })
    if (!closed) runIn(pauseMilliseconds)
  }

  function runIn(milliseconds: number): void {
    timer = setTimeout(() => void (running = run()), milliseconds).unref()
  }

  runIn(firstMilliseconds)
  return {
    sweep,
    async close() {
      closed = true
      clearTimeout(timer)
      await running
    },
  }
}

// For another 30 days after its end, whoever has the token is told that the valuation has expired.
const visitorValuationsDelete = write<object>(
  'visitor_valuations_delete',
  `delete from visitor_valuations where id in (
     select id from visitor_valuations where expires_at <= statement_timestamp() - interval '30 days'
     order by expires_at limit :limit for update skip locked)
   returning 1`,
)
