import { problems } from '@wbs/contract/problems'
import type { FastifyError } from 'fastify'
import { invalid, Problem } from '../../call/problem.ts'

/** The body of an error answer (RFC 9457). */
export function problemBody(
  problem: Problem,
  at: { base_url: string; instance: string; request_id: string },
): object {
  const { title, retryable } = problems[problem.code]
  return {
    type: `${at.base_url}/problems/${problem.code}`,
    title,
    status: problem.status,
    code: problem.code,
    detail: problem.message,
    instance: at.instance,
    request_id: at.request_id,
    // What the service did not receive in time had no effect.
    retryable: retryable || problem.status === 408,
    ...problem.members,
  }
}

/** Converts an error into a problem. An error that is not a problem is a fault of the service, whose details stay inside. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code } = (error ?? {}) as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return unsupportedMediaType('The body must be sent as application/json.')
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') return badPath
  return new Problem(
    'internal_error',
    'An internal error occurred. The log of the service has its cause under this request_id.',
    {},
  )
}

export const unsupportedMediaType = (detail: string) => new Problem('unsupported_media_type', detail, {})

const badPath = invalid([
  {
    in: 'path',
    pointer: '',
    code: 'format',
    detail: 'The path has a percent escape that is not UTF-8, or a segment that is too long.',
  },
])

export const payloadTooLarge = () =>
  new Problem('payload_too_large', 'The body is larger than this operation accepts.', {})

export const truncatedBody = () =>
  invalid([{ in: 'body', pointer: '', code: 'format', detail: 'The body ended before its Content-Length.' }])
