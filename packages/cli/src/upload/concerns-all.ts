import { ProblemError, UnexpectedAnswer } from '@wbs/sdk'

/** Whether an error would meet every other file too: the credential is refused, or the service cannot be reached. */
export function concernsAll(error: unknown): boolean {
  if (error instanceof ProblemError)
    return ['unauthenticated', 'unavailable', 'rate_limited', 'internal_error'].includes(error.problem.code)
  if (error instanceof UnexpectedAnswer) return true
  // What fetch throws if there is no connection.
  return error instanceof TypeError && error.message === 'fetch failed'
}
