import type { Mutation } from '@wbs/contract/operation'
import type { PrepareContext } from '../call/implement.ts'
import { unavailable } from '../call/problem.ts'
import { withTimeout } from '../database/connections/with-timeout.ts'

export type WaitWithoutSlot = PrepareContext<Mutation>['waitWithoutSlot']

/** A store that is well answers sooner. From then on, the request waits without its slot. */
const soonMilliseconds = 200
/** How long a request waits for the store. */
const longestMilliseconds = 20_000

/**
 * What the store of content answers to a request. It is asked while no transaction is open. Throws unavailable if it takes too
 * long; what it does later is taken back by the sweeper.
 */
export async function askStore<T>(answer: Promise<T>, waitWithoutSlot: WaitWithoutSlot): Promise<T> {
  const late = new Error('The store takes longer.')
  try {
    return await withTimeout(soonMilliseconds, answer, () => late)
  } catch (error) {
    if (error !== late) throw error
  }
  return waitWithoutSlot(() => withTimeout(longestMilliseconds, answer, tooLate))
}

const tooLate = () =>
  unavailable('The store of Files did not answer in time. Nothing was changed; try again.')
