import type { StorageLimitName } from '../database/faults.ts'
import { problems, type InputError, type ProblemCode, type ProblemMembers } from '@wbs/contract/problems'

/** Why a request is refused. Each transport has its own form for it. The detail never repeats what was submitted. */
export class Problem<C extends ProblemCode = ProblemCode> extends Error {
  readonly code: C
  readonly members: ProblemMembers[C]
  readonly headers: Readonly<Record<string, string>>
  /** The limit that was reached, if one was; callers are not told it. */
  readonly limit: string | undefined

  constructor(
    code: C,
    detail: string,
    members: ProblemMembers[C],
    headers: Record<string, string> = {},
    limit?: string,
  ) {
    super(detail)
    this.code = code
    this.members = members
    this.headers = headers
    this.limit = limit
  }

  get status(): number {
    return problems[this.code].status
  }
}

export const invalid = (errors: InputError[]): Problem<'validation_error'> =>
  new Problem(
    'validation_error',
    errors.length === 1 ? (errors[0] as InputError).detail : `The request has ${errors.length} errors.`,
    { errors },
  )

export const unauthenticated = (detail: string, error?: 'invalid_token'): Problem<'unauthenticated'> =>
  new Problem(
    'unauthenticated',
    detail,
    {},
    { 'www-authenticate': `Bearer realm="svc"${error ? `, error="${error}"` : ''}` },
  )

/** Whether a credential was refused because it is not valid. */
export const isInvalidCredential = (error: unknown): error is Problem<'unauthenticated'> =>
  error instanceof Problem && error.code === 'unauthenticated'

export const forbidden = (detail: string, required_permission?: string): Problem<'forbidden'> =>
  new Problem('forbidden', detail, required_permission ? { required_permission } : {})

/** A refusal whose cause the log tells, because only an operator can do something about it. */
export const causedBy = <C extends ProblemCode>(cause: unknown, problem: Problem<C>): Problem<C> =>
  Object.assign(problem, { cause })

/** Nothing was stored, because content would have gone beyond this limit. */
export const beyondStorage = (limit: StorageLimitName): Problem<'limit_reached'> =>
  new Problem('limit_reached', storageSentences[limit], {})

const storageSentences: Readonly<Record<StorageLimitName, string>> = {
  workspace:
    'The Workspace would have more content than its limit allows; open uploads count too. Abort uploads that are not needed, or ask an admin for a higher limit.',
  guest:
    'You would have more content in the Workspace than a guest may; your open uploads count too. Abort those that are not needed, or ask a member to upload the File.',
}

/** Who is told that something is unavailable is told when to try again. */
const retrySoon = { 'retry-after': '1' }

/** `limit` is the limit of this node that was reached, if one was. */
export const unavailable = (detail: string, retryAfterSeconds = 1, limit?: string): Problem<'unavailable'> =>
  new Problem('unavailable', detail, {}, { 'retry-after': String(retryAfterSeconds) }, limit)

/**
 * The problems that an operation declares, as functions: `throw refuse.not_found('…')`. A handler cannot refuse with
 * any other.
 */
export type Refuse<C extends ProblemCode> = {
  readonly [K in C]: object extends ProblemMembers[K]
    ? (detail: string, members?: ProblemMembers[K]) => Problem<K>
    : (detail: string, members: ProblemMembers[K]) => Problem<K>
}

export function refuseWith<C extends ProblemCode>(codes: readonly C[]): Refuse<C> {
  const make =
    (code: C) =>
    (detail: string, members: object = {}) =>
      new Problem(code, detail, members as ProblemMembers[C], code === 'unavailable' ? retrySoon : {})
  return Object.fromEntries(codes.map(code => [code, make(code)])) as Refuse<C>
}
