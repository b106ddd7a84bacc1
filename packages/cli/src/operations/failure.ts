import type { ProblemBody } from '@wbs/contract/problems'
import { ProblemError, UnexpectedAnswer } from '@wbs/sdk'
import { CommandError } from '../command-error.ts'
import { oneLine } from '../one-line.ts'
import { reasonOf } from '../reason-of.ts'
import { exitCodeOf, exitCodes, type ExitCode } from './exit-codes.ts'
import { mistakeOf } from './input/check-input.ts'
import { UsageError, type Mistake } from './input/usage-error.ts'
import { wordsOf, type OperationCommand } from './command/operation-command.ts'
import { cellOf } from './output/cell.ts'
import { jsonText } from './output/print-answer.ts'

/** How a command failed: its exit code, and what is told on standard error. */
export interface Failure {
  exitCode: ExitCode
  /** For --json. */
  body: object
  lines: readonly string[]
}

/** What is known of the requests of a command that failed. */
export interface FailedCall {
  command: OperationCommand
  /** Of a change. */
  idempotencyKey: string | undefined
  /** Whether a request may have reached the service and its answer was lost. */
  isUnknown: boolean
  isInterrupted: boolean
  /** The address of the service, if it is known. */
  url: string | undefined
}

/** There is no credential, or no address, for the service. */
export class NoAccess extends CommandError {}

/** Why a command failed, in words. An error that is nobody's mistake is thrown again. */
export function failureOf(error: unknown, call: FailedCall): Failure {
  const isOpen = call.isUnknown && call.idempotencyKey !== undefined
  if (call.isInterrupted)
    return plain(exitCodes.interrupted, 'interrupted', 'Interrupted.', isOpen ? mayHaveHappened(call) : {})
  if (error instanceof UsageError) return ofUsage(error, call.command)
  if (error instanceof ProblemError) return ofProblem(error.problem, call)
  if (error instanceof NoAccess) return plain(exitCodes.unauthenticated, 'no_access', error.message)
  if (error instanceof CommandError) return plain(exitCodes.failed, 'failed', error.message)
  const reason = notAnswered(error, call.url ?? 'The service')
  if (reason === null) throw error
  if (isOpen)
    return plain(
      exitCodes.unknown,
      'unknown_outcome',
      `The outcome is unknown: ${reason}`,
      mayHaveHappened(call),
    )
  const isLasting = error instanceof UnexpectedAnswer && error.status < 500 && error.status !== 429
  return plain(isLasting ? exitCodes.failed : exitCodes.tryLater, 'no_answer', reason)
}

/** Why there was no answer of the service; null if the error is another one. */
function notAnswered(error: unknown, service: string): string | null {
  if (error instanceof UnexpectedAnswer) return error.message
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return 'The service did not answer in time.'
  if (error instanceof TypeError && error.cause instanceof Error)
    return `${service} cannot be reached: ${reasonOf(error)}.`
  return error instanceof TypeError && /fetch failed|terminated/.test(error.message)
    ? 'The connection to the service was lost.'
    : null
}

const mayHaveHappened = ({ idempotencyKey }: FailedCall) => ({ idempotency_key: idempotencyKey as string })

function plain(
  exitCode: ExitCode,
  code: string,
  detail: string,
  more: { idempotency_key?: string } = {},
): Failure {
  const { idempotency_key } = more
  return {
    exitCode,
    body: { code, detail, ...more },
    lines: [
      `error: ${oneLine(detail)}`,
      ...(idempotency_key === undefined
        ? []
        : [
            'The change may have happened. To repeat it without doing it twice, run the same command with',
            `  --idempotency-key ${idempotency_key}`,
          ]),
    ],
  }
}

function ofUsage({ mistakes }: UsageError, command: OperationCommand): Failure {
  return {
    exitCode: exitCodes.usage,
    body: { code: 'usage', detail: 'The command line is not right. Nothing was sent.', errors: mistakes },
    lines: [
      'error: the command line is not right; nothing was sent',
      ...mistakes.map(mistakeLine),
      `See wbs ${wordsOf(command)} --help.`,
    ],
  }
}

const mistakeLine = ({ where, detail, suggestion }: Mistake): string =>
  `  ${oneLine(where)}: ${oneLine(detail)}${suggestion === undefined ? '' : ` Did you mean ${oneLine(suggestion)}?`}`

function ofProblem(problem: ProblemBody, call: FailedCall): Failure {
  const { title, code, status, detail, request_id } = problem
  const errors = problem.code === 'validation_error' ? problem.errors : []
  const key = call.idempotencyKey
  const mayRepeat = problem.retryable && key !== undefined
  return {
    exitCode: exitCodeOf(problem) ?? exitCodes.failed,
    body: problem,
    lines: [
      `error: ${oneLine(title)} (${oneLine(code)}, ${cellOf(status)})`,
      ...(errors.length > 0
        ? errors.map(error => mistakeLine(mistakeOf(call.command, error)))
        : [`  ${oneLine(detail)}`]),
      ...membersOf(problem),
      ...(mayRepeat ? [`  To repeat it later: --idempotency-key ${key}`] : []),
      `Request: ${oneLine(request_id)}`,
    ],
  }
}

/** What else a problem says that helps. */
function membersOf(problem: ProblemBody): string[] {
  switch (problem.code) {
    case 'revision_conflict':
      return [
        `  Now it is ${cellOf(problem.current)}; you expected ${cellOf(problem.expected)}. Changed since: ${problem.changed_fields.map(oneLine).join(', ') || 'nothing that you see'}.`,
      ]
    case 'forbidden':
      return problem.required_permission === undefined
        ? []
        : [`  Required permission: ${oneLine(problem.required_permission)}`]
    case 'already_exists':
      return (problem.candidates ?? []).map(({ id, name }) => `  ${oneLine(id)}  ${oneLine(name)}`)
    case 'evidence_required':
      return problem.missing_evidence.map(missing => `  ${oneLine(missing.code)}: ${oneLine(missing.detail)}`)
    default:
      return []
  }
}

/** The text of a failure for standard error. */
export const failureText = ({ body, lines }: Failure, json: boolean): string =>
  json ? `${jsonText(body)}\n` : `${lines.join('\n')}\n`
