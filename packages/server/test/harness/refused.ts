import assert from 'node:assert/strict'
import type { ProblemBody, ProblemCode } from '@wbs/contract/problems'
import { isProblem } from '@wbs/sdk'

/** Asserts that a call is refused with a code. Returns the problem. */
export async function refused<C extends ProblemCode>(
  call: Promise<unknown>,
  code: C,
): Promise<ProblemBody<C>> {
  const error = await call.then(
    () => assert.fail(`It was not refused; ${code} was expected.`),
    (reason: unknown) => reason,
  )
  if (!isProblem(error, code)) throw error
  return error.problem
}
