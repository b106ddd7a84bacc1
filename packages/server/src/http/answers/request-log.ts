import type { FastifyReply, FastifyRequest } from 'fastify'
import { principalOf } from '../../call/authority/caller.ts'
import { faultRecord } from './fault.ts'
import { asProblem } from './problem-json.ts'

/** Logs one line per request, of named fields only: nothing in it comes from the client. */
export function logRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  more: { incomplete?: true } = {},
): void {
  const { operation } = request.routeOptions.config as { operation?: string }
  const { caller } = request
  request.log.info(
    {
      operation,
      method: request.method,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(caller && { principal: principalOf(caller) }),
      ...more,
    },
    'request',
  )
}

/** Logs the line of a request whose client disconnects before it has the whole answer, which has no other event. */
export function logIncomplete(request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) logRequest(request, reply, { incomplete: true })
  })
}

/** Logs faults with their stack. Refusals are normal, and the line of the request suffices for them. */
export function logFault(error: unknown, request: FastifyRequest): void {
  if (asProblem(error).code === 'internal_error')
    request.log.error({ fault: faultRecord(error) }, 'a request failed')
}
