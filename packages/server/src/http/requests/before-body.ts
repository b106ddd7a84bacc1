import type { Limited } from '@wbs/contract/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Credentials } from '../../call/authority/authenticate.ts'
import type { Caller } from '../../call/authority/caller.ts'
import { callerFor, isVisitor } from '../../call/run.ts'
import { isInvalidCredential, invalid, Problem } from '../../call/problem.ts'
import type { Limiter } from '../../limits/limiter.ts'
import { isStream, mayAnswerBytes, takesBody, type Operation } from '@wbs/contract/operation'
import type { InputError } from '@wbs/contract/problems'
import { unsupportedMediaType } from '../answers/problem-json.ts'

/** What a transport needs to identify senders and to apply rate limits. */
export interface RateLimitedTransport {
  authenticate(credentials: Credentials): Promise<Caller | null>
  /** Applies rate limits; without it there are none. */
  limiter?: Limiter | undefined
}

/**
 * Identifies the sender of a request, and counts an invalid credential for its address. Throws what `authenticate` throws, or
 * rate_limited for an invalid credential from an address that has sent too many.
 */
async function authenticateWithin(
  { authenticate, limiter }: RateLimitedTransport,
  credentials: Credentials,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | null> {
  const credential = credentials.authorization ?? credentials.api_key
  if (!limiter || credential === undefined) return authenticate(credentials)
  try {
    return await limiter.judgeCredential(credential, request.ip, () => authenticate(credentials))
  } catch (error) {
    if (isInvalidCredential(error)) reply.headers(await limiter.countBadCredential(request.ip))
    throw error
  }
}

/** Counts a request of a known sender, and puts the state of its limits into the headers of the answer. Throws rate_limited. */
export async function countRequest(
  operation: Limited,
  { limiter }: Pick<RateLimitedTransport, 'limiter'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!limiter) return
  const workspace_id = request.headers['svc-workspace-id'] as string | undefined
  const { caller, ip: address } = request
  const sender = {
    caller,
    address,
    workspace_id,
    isVisitor: operation.visitors === true && isVisitor(operation, { caller, workspace_id }),
    resource: Object.values(request.params as Record<string, string>).join(' '),
  }
  reply.headers(await limiter.count(operation, sender))
}

/**
 * Identifies the sender of a request and applies the rate limits, before parameters and body are read. Throws
 * unauthenticated, what `authenticate` throws, and rate_limited.
 */
export async function identify(
  operation: Operation,
  transport: RateLimitedTransport,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (operation.audience !== 'public') {
    const sender = await authenticateWithin(transport, presented(request), request, reply)
    request.caller = callerFor(operation, sender, request.headers['svc-workspace-id'] as string | undefined)
  }
  await countRequest(operation, transport, request, reply)
}

/** The credentials that a request presents. */
export const presented = ({ headers, ip: address }: FastifyRequest): Credentials => ({
  authorization: headers.authorization,
  api_key: headers['x-svc-api-key'] as string | undefined,
  address,
})

/** Headers that identify the sender. They must not be repeated. */
const identifyingHeaders = ['Host', 'Authorization', 'X-SVC-API-Key']
/** Headers that steer the operation. */
const requestHeaders = [
  'SVC-Workspace-Id',
  'Idempotency-Key',
  'SVC-Claim-Token',
  'Last-Event-ID',
  'Content-Type',
  'Content-Encoding',
]

export const refuseRepeatedCredentials = (request: FastifyRequest): void =>
  refuseRepeated(request, identifyingHeaders)

/** What the declaration of an operation says of the form of its requests and answers. */
export interface RequestForm {
  takesBody: boolean
  mayAnswerBytes: boolean
  /** The media type of the answers that are not content. */
  answered: string
}

export const requestForm = (operation: Operation): RequestForm => ({
  takesBody: takesBody(operation),
  mayAnswerBytes: mayAnswerBytes(operation),
  answered: isStream(operation) ? 'text/event-stream' : 'application/json',
})

/**
 * Checks the headers of a request whose sender is known, and that it has a body only if the operation takes one. Throws
 * validation_error, not_acceptable or unsupported_media_type.
 */
export function checkHeaders(
  { takesBody, mayAnswerBytes, answered }: RequestForm,
  request: FastifyRequest,
): void {
  refuseRepeated(request, requestHeaders)
  // Content has a type of its own, which is not known yet. RFC 9110, 12.5.1 allows a server to ignore Accept.
  if (!mayAnswerBytes) refuseUnacceptable(request, answered)
  if (takesBody) refuseEncodedBody(request)
  else refuseBody(request)
}

/**
 * Throws validation_error if a header is repeated that must not be: Node would take the first or join them, and a proxy
 * the last.
 */
function refuseRepeated(request: FastifyRequest, once: readonly string[]): void {
  const { headers, rawHeaders } = request.raw
  // As many names as header lines, so none is repeated.
  if (Object.keys(headers).length * 2 === rawHeaders.length) return
  const names = rawHeaders.filter((_, i) => i % 2 === 0).map(name => name.toLowerCase())
  const repeated = once.filter(name => {
    const lower = name.toLowerCase()
    return names.indexOf(lower) !== names.lastIndexOf(lower)
  })
  if (repeated.length === 0) return
  const errors: InputError[] = repeated.map(name => ({
    in: 'header',
    pointer: `/${name}`,
    code: 'conflict',
    detail: `The header ${name} must not be repeated.`,
  }))
  throw invalid(errors)
}

function refuseUnacceptable(request: FastifyRequest, answered: string): void {
  const { accept } = request.headers
  if (accept === undefined || accept === '*/*' || accept === answered) return
  if (accept.trim() !== '' && !accepts(accept, answered))
    throw new Problem(
      'not_acceptable',
      `The answer is ${answered}, which the header Accept does not allow.`,
      {},
    )
}

/** The most specific matching range decides (RFC 9110, 12.5.1): with q=0 the type is refused, whatever a wildcard allows. */
function accepts(accept: string, answered: string): boolean {
  const ranges = ['*/*', answered.replace(/[^/]*$/, '*'), answered]
  let best = -1
  let accepted = false
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map(part => part.trim())
    const specificity = ranges.indexOf(type)
    if (specificity < 0 || specificity < best) continue
    const wanted = !parameters.some(parameter => /^q\s*=\s*0(?:\.0*)?$/.test(parameter))
    accepted = specificity > best ? wanted : accepted || wanted
    best = specificity
  }
  return accepted
}

/** Compressed bodies are refused: a few bytes can expand without limit in memory. */
function refuseEncodedBody(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw unsupportedMediaType('The body must be sent without Content-Encoding.')
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw unsupportedMediaType('The body must be in UTF-8.')
}

/** An unexpected body is refused, because its sender expects it to have an effect. */
function refuseBody(request: FastifyRequest): void {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
  if (Number(length) === 0 && coding === undefined) return
  const detail = 'This operation has no body. Send its parameters in the query string.'
  throw invalid([{ in: 'body', pointer: '', code: 'unknown', detail }])
}
