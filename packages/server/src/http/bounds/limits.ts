import type { Operation } from '@wbs/contract/operation'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Credentials } from '../../call/authority/authenticate.ts'
import type { Caller } from '../../call/authority/caller.ts'
import { Problem } from '../../call/problem.ts'
import type { Limiter } from '../../limits/limiter.ts'

/** What a door needs to know who sends a request, and whether they send too many. */
export interface RateLimitedTransport {
  authenticate(credentials: Credentials): Promise<Caller | null>
  /** Counts requests against their rate limits; without one, there are none. */
  limiter?: Limiter | undefined
}

/**
 * Finds out who sends a request, unless too many credentials from where it comes from did not hold: then it looks at no
 * other, good ones included. Throws rate_limited, or what authenticate does.
 */
export async function authenticateWithin(
  { authenticate, limiter }: RateLimitedTransport,
  credentials: Credentials,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | null> {
  const isAnonymous = credentials.authorization === undefined && credentials.api_key === undefined
  if (!limiter || isAnonymous) return authenticate(credentials)
  limiter.admitCredential(request.ip)
  try {
    return await authenticate(credentials)
  } catch (error) {
    if (error instanceof Problem && error.code === 'unauthenticated')
      reply.headers(await limiter.countBadCredential(request.ip))
    throw error
  }
}

/** Counts a request whose sender is known, and notes on its answer how it stands with its limits. Throws rate_limited. */
export async function countRequest(
  operation: Operation,
  { limiter }: RateLimitedTransport,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!limiter) return
  const workspace_id = request.headers['svc-workspace-id'] as string | undefined
  reply.headers(await limiter.count(operation, { caller: request.caller, address: request.ip, workspace_id }))
}
