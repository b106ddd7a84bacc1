import { withTimeout } from '../../database/connections/with-timeout.ts'
import { inProgress } from './claim-key.ts'
import { waitAtOnce, type WaitWithoutSlot } from '../waiting/wait-without-slot.ts'
import { Problem, unavailable } from '../problem.ts'
import { CommitUnknown } from '../../database/faults.ts'
import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { translateFault } from '../fault-problem.ts'

/** Runs work one at a time for each key. A duplicate waits by `waitWithoutSlot`. */
export type SingleFlight = <T>(
  key: string,
  work: () => Promise<T>,
  waitWithoutSlot?: WaitWithoutSlot,
) => Promise<T>

/**
 * Serializes duplicates of a command within one process. One of them runs; the others wait here without a database
 * connection or a request slot, and once it has succeeded each runs too, and finds the stored answer. Throws
 * idempotency_in_progress after the timeout, and what `waitWithoutSlot` throws.
 */
export function createSingleFlight(timeoutMilliseconds = 2000): SingleFlight {
  const underWay = new Map<string, Promise<unknown>>()

  async function first<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = work()
    underWay.set(key, mine)
    try {
      return await mine
    } finally {
      underWay.delete(key)
    }
  }

  return async function singleFlight<T>(
    key: string,
    work: () => Promise<T>,
    waitWithoutSlot: WaitWithoutSlot = waitAtOnce,
  ): Promise<T> {
    const until = performance.now() + timeoutMilliseconds
    for (let other = underWay.get(key); other; other = underWay.get(key)) {
      const ended = other
      if (await waitWithoutSlot(() => succeeds(ended, until - performance.now()))) return work()
    }
    return first(key, work)
  }
}

/** Whether the command in progress succeeds. If another process had claimed its key, those who wait are told the same. */
async function succeeds(other: Promise<unknown>, milliseconds: number): Promise<boolean> {
  try {
    await withTimeout(milliseconds, other, inProgress)
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 'idempotency_in_progress') throw inProgress()
    return false
  }
}

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
export const commitAfterStandby = (tx: Transaction): void => tx.save(writeToLog, {})

// A transaction that wrote nothing to the write-ahead log would not wait.
const writeToLog = write('earlier_commit_confirmed', `select pg_logical_emit_message(true, 'wbs', '')`)

/**
 * Thrown in the transaction of a change that lacks something which takes too long for a transaction. The transaction ends, `work`
 * runs, and the change begins again.
 */
export class Unprepared extends Error {
  readonly work: () => Promise<void>
  constructor(work: () => Promise<void>) {
    super('The change lacks something that has to be done before it.')
    this.work = work
  }
}

/** What a change may need is done in two of them at most. The others are for what others change meanwhile. */
const mostAttempts = 5

/**
 * Attempts a change until it lacks nothing, and does what it lacks between two attempts. So nothing but PostgreSQL is waited for
 * while a transaction is open, and only for a change that would otherwise be made. Throws unavailable if it lacks something
 * else each time.
 */
export async function untilPrepared<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++)
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof Unprepared)) throw error
      if (attempts === mostAttempts)
        throw unavailable('Others keep changing what this change depends on. Nothing was changed; try again.')
      await error.work()
    }
}
