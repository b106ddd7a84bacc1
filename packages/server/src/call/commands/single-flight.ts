import { withTimeout } from '../../database/connections/with-timeout.ts'
import { inProgress } from './claim-key.ts'
import { waitAtOnce, type WaitWithoutSlot } from '../waiting/wait-without-slot.ts'
import { Problem } from '../problem.ts'

/** Runs work one at a time for each key. A duplicate waits by `waitWithoutSlot`. */
export type SingleFlight = <T>(key: string, work: () => Promise<T>, aside?: WaitWithoutSlot) => Promise<T>

/**
 * Serializes duplicates of a command within one process. One of them runs; the others wait here without a database
 * connection or a request slot, and once it has succeeded they all read its answer. Throws idempotency_in_progress
 * after the timeout, and what `waitWithoutSlot` throws.
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
