import type { FastifyRequest } from 'fastify'
import type { InputError } from '@wbs/contract/problems'
import { invalid, Problem } from '../call/problem.ts'
import { unsupported } from './problem-json.ts'

/** Headers that decide who asks for what: sent twice, two readers could take two different ones. */
const once = new Set([
  'host',
  'authorization',
  'x-svc-api-key',
  'svc-workspace-id',
  'idempotency-key',
  'content-type',
])

/** Throws validation_error where a header that must stand once stands twice. Node itself would join or drop them silently. */
export function refuseRepeatedHeaders(request: FastifyRequest): void {
  const names = request.raw.rawHeaders.filter((_, i) => i % 2 === 0).map(name => name.toLowerCase())
  const errors: InputError[] = []
  for (const name of once) {
    if (names.indexOf(name) === names.lastIndexOf(name)) continue
    errors.push({
      in: 'header',
      pointer: `/${name}`,
      code: 'conflict',
      detail: `The header ${name} may be sent once only.`,
    })
  }
  if (errors.length > 0) throw invalid(errors)
}

/** Throws not_acceptable where the client takes no JSON. */
export function refuseUnacceptable(request: FastifyRequest): void {
  const { accept } = request.headers
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return
  const ranges = accept.split(',').map(range => range.trim().toLowerCase())
  const takesJson = ranges.some(
    range =>
      /^(?:\*\/\*|application\/(?:\*|json))\s*(?:;|$)/.test(range) &&
      !/;\s*q=0(?:\.0*)?\s*(?:;|$)/.test(range),
  )
  if (!takesJson)
    throw new Problem(
      'not_acceptable',
      'Answers are application/json, which the Accept header leaves out.',
      {},
    )
}

/** Throws unsupported_media_type for a body that is compressed or in another encoding than UTF-8. */
export function refuseEncodedBody(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw unsupported('The body must be sent without Content-Encoding.')
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8')
    throw unsupported('The body must be in UTF-8.')
}
