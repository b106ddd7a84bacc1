import type { Limited } from '@wbs/contract/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Credentials } from '../../call/authority/authenticate.ts'
import type { Caller } from '../../call/authority/caller.ts'
import { isVisitor } from '../../call/call-headers.ts'
import { isInvalidCredential } from '../../call/problem.ts'
import type { Limiter } from '../../limits/limiter.ts'

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
export async function authenticateWithin(
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
    isVisitor: isVisitor(operation, { caller, workspace_id }),
    resource: Object.values(request.params as Record<string, string>).join(' '),
  }
  reply.headers(await limiter.count(operation, sender))
}
