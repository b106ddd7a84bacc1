import { unavailable } from '../problem.ts'

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
