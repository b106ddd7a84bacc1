import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../../call/problem.ts'
import { problemBody } from './problem-json.ts'
import { commonHeaders, pathnameOf } from '../judge-route.ts'
import { metadataPath } from '../well-known.ts'

/** Answers a request with a problem, at whatever stage it was refused. */
export function sendProblem(
  base_url: string,
  problem: Problem,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  // A path that carries a secret is not repeated.
  const { instance = pathnameOf(request) } = request.routeOptions.config as { instance?: string }
  request.facts.problem_code = problem.code
  const limit = limitOf(problem)
  if (limit !== undefined) request.facts.limit = limit
  keepConnection(reply)
  return reply
    .code(problem.status)
    .headers({
      ...commonHeaders(request.id),
      'cache-control': 'private, no-store',
      ...problem.headers,
      ...challenge(base_url, problem),
    })
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(problemBody(problem, { base_url, instance, request_id: request.id })))
}

const limitOf = ({ members, limit }: Problem): string | undefined =>
  'violated-policies' in members ? members['violated-policies'][0] : limit

/** A 401 also says where a client learns who signs people in (RFC 9728, 5.1). */
function challenge(base_url: string, { headers }: Problem): Record<string, string> {
  const bearer = headers['www-authenticate']
  return bearer === undefined
    ? {}
    : { 'www-authenticate': `${bearer}, resource_metadata="${base_url}${metadataPath}"` }
}

/**
 * The framework closes the connection if a body is too large, and a client that is still sending would not receive the
 * answer. Instead, the rest of the body is read and discarded, within the request timeout.
 */
function keepConnection(reply: FastifyReply): void {
  if (reply.hasHeader('connection') && !reply.raw.hasHeader('connection')) reply.removeHeader('connection')
}
