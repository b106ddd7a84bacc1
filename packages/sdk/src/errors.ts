import type { ProblemBody, ProblemCode } from '@wbs/contract/problems'

/** The service refused a request; `problem` is what it said. */
export class ProblemError<C extends ProblemCode = ProblemCode> extends Error {
  readonly problem: ProblemBody<C>

  constructor(problem: ProblemBody<C>) {
    super(`${problem.status} ${problem.code}: ${problem.detail}`)
    this.name = 'ProblemError'
    this.problem = problem
  }
}

/**
 * Whether an error is the problem with this code; its members are typed then:
 * `if (isProblem(error, 'revision_conflict')) retryWith(error.problem.current)`.
 */
export function isProblem<C extends ProblemCode>(error: unknown, code: C): error is ProblemError<C> {
  return error instanceof ProblemError && error.problem.code === code
}

/** Something answered that is not the service, or not in its words: a proxy's error page, a sign-in page of a network. */
export class UnexpectedAnswer extends Error {
  readonly status: number

  constructor(status: number, what: string) {
    super(`The answer, of status ${status}, is not one of the service: ${what}.`)
    this.name = 'UnexpectedAnswer'
    this.status = status
  }
}
