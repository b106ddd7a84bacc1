import { CommitUnknown } from '../../database/faults.ts'
import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { translateFault } from '../fault-problem.ts'
import { Problem } from '../problem.ts'

/**
 * Runs a change until the outcome of its COMMIT is known. If it is not, `attempt` runs once more: it claims the same
 * key, and so finds what the first transaction did, or does the change. If that cannot tell either, throws CommitUnknown.
 */
export async function untilCommitKnown<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof CommitUnknown)) throw error
    return attempt().catch((again: unknown) => {
      throw isUndecided(again) ? error : again
    })
  }
}

/** Whether a second attempt failed for a reason that says nothing about the first one. */
function isUndecided(error: unknown): boolean {
  const problem = translateFault(error)
  return (
    problem instanceof Problem &&
    ['unavailable', 'rate_limited', 'idempotency_in_progress'].includes(problem.code)
  )
}

/**
 * Makes COMMIT wait until the synchronous standby has all that was committed before. A change that was committed can be
 * seen although its own wait was cut short, by a crash for example; its answer must not be repeated before it is safe.
 */
export const confirmEarlier = (tx: Transaction): void => tx.save(writeToLog, {})

// A transaction that wrote nothing to the write-ahead log would not wait.
const writeToLog = write('earlier_commit_confirmed', `select pg_logical_emit_message(true, 'wbs', '')`)
