import type { ProblemBody, ProblemCode } from './generated/problems.ts'

/** The service refused a request; `problem` is the body of its answer. */
export class ProblemError<C extends ProblemCode = ProblemCode> extends Error {
  readonly problem: ProblemBody<C>

  constructor(problem: ProblemBody<C>) {
    super(`${problem.status} ${problem.code}: ${problem.detail}`)
    this.name = 'ProblemError'
    this.problem = problem
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

  constructor(status: number, what: string) {
    super(`The answer with status ${status} is not from the service: ${what}.`)
    this.name = 'UnexpectedAnswer'
    this.status = status
  }
}
