import { withTimeout } from '../../database/connections/with-timeout.ts'
import { inProgress } from './claim-key.ts'
import { Problem } from '../problem.ts'

/** Waits for something, and leaves its place to others meanwhile. Throws what the waiting does, or that no place is free then. */
export type WaitWithoutSlot = <T>(wait: () => Promise<T>) => Promise<T>

/** Runs work under a key, in turn with other work under the same key; who waits for a turn does so by `aside`. */
export type SingleFlight = <T>(key: string, work: () => Promise<T>, aside?: WaitWithoutSlot) => Promise<T>

/**
 * Duplicates of one command that meet in one process: one at a time tries to carry it out. The others wait here, where
 * waiting costs no database connection and no place at the door, and once one has succeeded they find its answer, all at
 * once. Throws idempotency_in_progress after the patience is over, and what `aside` does.
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

const atOnce: WaitWithoutSlot = wait => wait()

/** Whether what is under way succeeds. Where it found the key taken by another process, so do those who wait for it. */
async function succeeds(other: Promise<unknown>, milliseconds: number): Promise<boolean> {
  try {
    await withTimeout(milliseconds, other, inProgress)
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 'idempotency_in_progress') throw inProgress()
    return false
  }
}
