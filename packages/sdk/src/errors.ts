import type { ProblemBody, ProblemCode } from './generated/problems.ts'
import type { ResponseInfo } from './response-info.ts'

/** The service refused a request; `problem` is the body of its answer, and `response` has its status and headers. */
export class ProblemError<C extends ProblemCode = ProblemCode> extends Error {
  readonly problem: ProblemBody<C>
  readonly response: ResponseInfo
  readonly request_id: string

  constructor(problem: ProblemBody<C>, response: ResponseInfo) {
    super(`${problem.status} ${problem.code}: ${problem.detail}`)
    this.name = 'ProblemError'
    this.problem = problem
    this.response = response
    this.request_id = problem.request_id
  }
}

/**
 * Whether an error is a problem with this code, whose members are then typed: `if (isProblem(error,
 * 'revision_conflict')) retryWith(error.problem.current)`.
 */
export function isProblem<C extends ProblemCode>(error: unknown, code: C): error is ProblemError<C> {
  return error instanceof ProblemError && error.problem.code === code
}

/** The answer is not one of the service: for example the error page of a proxy, or the sign-in page of a network. */
export class UnexpectedAnswer extends Error {
  readonly status: number
  readonly response: ResponseInfo
  /** Null if the service did not see the request. */
  readonly request_id: string | null

  constructor(response: ResponseInfo, what: string) {
    super(`The answer with status ${response.status} is not from the service: ${what}.`)
    this.name = 'UnexpectedAnswer'
    this.status = response.status
    this.response = response
    this.request_id = response.request_id
  }
}
