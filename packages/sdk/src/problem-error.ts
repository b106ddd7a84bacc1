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

/** Whether an error is a problem with this code; its members are typed then. */
export function isProblem<C extends ProblemCode>(error: unknown, code: C): error is ProblemError<C> {
  return error instanceof ProblemError && error.problem.code === code
}
