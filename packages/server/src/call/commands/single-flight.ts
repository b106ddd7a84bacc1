import { withTimeout } from '../../database/connections/with-timeout.ts'
import { inProgress } from './claim-key.ts'
import { Problem } from '../problem.ts'

/**
 * Releases the request's slot while it waits, and takes a slot again afterwards. Throws what `wait` throws, or
 * unavailable if no slot is free then.
 */
export type WaitWithoutSlot = <T>(wait: () => Promise<T>) => Promise<T>

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
    waitWithoutSlot: WaitWithoutSlot = atOnce,
  ): Promise<T> {
    const until = performance.now() + timeoutMilliseconds
    for (let other = underWay.get(key); other; other = underWay.get(key)) {
      const ended = other
      if (await waitWithoutSlot(() => succeeds(ended, until - performance.now()))) return work()
    }
    return first(key, work)
  }
}

/** For callers without a slot. */
export const atOnce: WaitWithoutSlot = wait => wait()

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
