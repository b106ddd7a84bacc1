import type { Operation } from '@wbs/contract/operation'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from '../../call/call.ts'
import type { Serializer } from '../../call/serialize.ts'
import { holds } from './entity-tags.ts'

/** Sends an answer, serialized by the operation's declared schema, with its headers; 304 if the client has it already. */
export function sendAnswer(
  operation: Operation,
  serialize: Serializer,
  answer: Answer,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const shared =
    operation.kind === 'query' && operation.public_max_age !== undefined && request.caller === null
  reply.header('cache-control', shared ? `public, max-age=${operation.public_max_age}` : 'private, no-store')
  if (answer.replay) {
    request.facts.replayed = true
    reply.header('idempotent-replayed', 'true')
  }
  if (operation.tagged && answer.revision !== undefined) {
    const tag = `"${operation.tagged}${answer.revision}"`
    reply.header('etag', tag)
    const isKnown = !answer.hasUnversioned && holds(request.headers['if-none-match'], tag)
    if (operation.kind === 'query' && isKnown) return reply.code(304).send()
  }
  return reply.code(answer.status).type('application/json; charset=utf-8').send(serialize(answer.body))
}
