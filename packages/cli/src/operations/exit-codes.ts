import { problems, type ProblemCode } from '@wbs/contract/problems'

/** The exit codes of the commands that call an operation. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  unauthenticated: 3,
  forbidden: 4,
  notFound: 5,
  conflict: 6,
  unprocessable: 7,
  tryLater: 8,
  unknown: 9,
  interrupted: 130,
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** What each exit code means, for `wbs help exit-codes`. */
const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: 'It was done.',
  1: 'It failed, for a reason that has no code of its own.',
  2: 'The command line or the input is not right. Nothing was changed.',
  3: 'There is no credential, or it is not valid.',
  4: 'You do not have the permission.',
  5: 'The resource does not exist any more, or not for you.',
  6: 'The state of the resource does not allow it: it has changed, or exists already.',
  7: 'The content is missing, too large, or cannot be processed.',
  8: 'The service has no time, or cannot be reached. Try again later; nothing was changed.',
  9: 'The connection was lost, and the change may have happened. Repeat it with the Idempotency-Key that is shown.',
  130: 'You interrupted it.',
}

/** The statuses that problems have, and what each means on the command line. */
const byStatus: Readonly<Record<number, ExitCode>> = {
  400: exitCodes.usage,
  401: exitCodes.unauthenticated,
  403: exitCodes.forbidden,
  404: exitCodes.notFound,
  405: exitCodes.failed,
  406: exitCodes.failed,
  409: exitCodes.conflict,
  410: exitCodes.notFound,
  413: exitCodes.unprocessable,
  415: exitCodes.unprocessable,
  416: exitCodes.unprocessable,
  422: exitCodes.unprocessable,
  429: exitCodes.tryLater,
  500: exitCodes.failed,
  503: exitCodes.tryLater,
}

/** The exit code of a problem: by its status, unless the same request may succeed later. Undefined for an unknown status. */
export const exitCodeOf = ({
  status,
  retryable,
}: {
  status: number
  retryable: boolean
}): ExitCode | undefined => (retryable ? exitCodes.tryLater : byStatus[status])

/** The codes of the problems that end with an exit code. */
const problemsWith = (exitCode: number): ProblemCode[] =>
  (Object.keys(problems) as ProblemCode[]).filter(code => exitCodeOf(problems[code]) === exitCode)

/** The text of `wbs help exit-codes`. */
export function exitCodesText(): string {
  const lines = Object.entries(exitCodeMeanings).flatMap(([code, meaning]) => {
    const codes = problemsWith(Number(code))
    return [`  ${code.padEnd(4)} ${meaning}`, ...(codes.length > 0 ? [`       ${codes.join(', ')}`] : [])]
  })
  return [
    'Exit codes of the commands that call the service. Below each, the codes of its problems.',
    '',
    ...lines,
    '',
    'The other commands (upload, import, export, value, backup, restore, blobs) end with 0 if all is',
    'done, 1 if it failed, 2 if a part was rejected, and 130 if they were interrupted.',
    '',
  ].join('\n')
}
