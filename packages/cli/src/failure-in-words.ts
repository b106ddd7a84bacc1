import { ProblemError, UploadFailed } from '@wbs/sdk'
import { oneLine } from './one-line.ts'
import { reasonOf } from './reason-of.ts'

/** Why a request or an upload failed, in one line of words, with nothing that controls a terminal. */
export const failureInWords = (error: unknown): string => oneLine(inWords(error))

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
