import { ProblemError, UnexpectedAnswer, UploadFailed } from '@wbs/sdk'
import { oneLine } from '../one-line.ts'
import { reasonOf } from '../reason-of.ts'

/** Why a file could not be uploaded, in words, with nothing that controls a terminal. */
export const failureOf = (error: unknown): string => oneLine(inWords(error))

function inWords(error: unknown): string {
  if (error instanceof ProblemError) return problemInWords(error)
  if (error instanceof UploadFailed) return error.message.replace(/^The upload of .* failed: (.*)\.$/s, '$1')
  return reasonOf(error).replace(/\.$/, '')
}

function problemInWords({ problem }: ProblemError): string {
  const [first] = 'errors' in problem && Array.isArray(problem.errors) ? problem.errors : []
  const { detail } = (first ?? problem) as { detail: string }
  return `${detail.replace(/\.$/, '')} (${problem.code})`
}

/** Whether an error would meet every other file too: the credential is refused, or the service cannot be reached. */
export function concernsAll(error: unknown): boolean {
  if (error instanceof ProblemError)
    return ['unauthenticated', 'unavailable', 'rate_limited', 'internal_error'].includes(error.problem.code)
  if (error instanceof UnexpectedAnswer) return true
  // What fetch throws if there is no connection.
  return error instanceof TypeError && error.message === 'fetch failed'
}
