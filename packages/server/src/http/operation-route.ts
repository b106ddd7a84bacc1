import {
  isStream,
  mayAnswerBytes,
  methodOf,
  pathOf,
  takesBody,
  type Operation,
} from '@wbs/contract/operation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Credentials } from '../call/authority/authenticate.ts'
import type { Answer, Call, Runnable, TransportWait } from '../call/call.ts'
import { principalOf, type Caller } from '../call/authority/caller.ts'
import { callerFor } from '../call/run.ts'
import type { Serializer } from '../call/serialize.ts'
import { addressKey } from '../limits/address.ts'
import type { Slot, RequestOwner } from './bounds/admission.ts'
import type { Bounds } from './bounds/bounds.ts'
import {
  checkHeaders,
  refuseRepeatedCredentials,
  authenticateWithin,
  countRequest,
  type RateLimitedTransport,
} from './requests/before-body.ts'

import { readQueryString } from './requests/query-string.ts'
import { readJson } from './requests/read-body.ts'
import { namesWorkspace } from './answers/request-watch.ts'
import { sendAnswer } from './answers/send-answer.ts'
import { sendBytes } from './answers/send-bytes.ts'
import { sendStream } from './answers/send-stream.ts'
import { addVary } from './vary.ts'

import { extendIdleTimeout, withoutIdleTimeout } from './bounds/connections.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The sender of the request; null without a credential. */
    caller: Caller | null
  }
}

/** An operation that this transport serves. */
export interface Route extends Runnable {
  serialize: Serializer
}

/** What the routes of operations need. */
export interface OperationTransport extends RateLimitedTransport {
  run(runnable: Runnable, call: Call): Promise<Answer>
  /** The Workspace that a request is charged to, if its caller is known to belong there. Default: none. */
  chargedWorkspace?(caller: Caller, workspace_id: string | undefined): string | null
  bounds: Bounds
  /** The idle timeout of a connection, in milliseconds. */
  idleTimeout: number
}

/**
 * Adds the route of an operation. A request takes a slot once its sender is known and its body has arrived, so that
 * slow clients cannot fill the slots.
 */
export function addOperation(server: FastifyInstance, transport: OperationTransport, route: Route): void {
  const { operation } = route.implementation
  server.route({
    method: methodOf(operation),
    url: routePattern(operation),
    onRequest: async (request, reply) => {
      if (operation.audience !== 'public')
        addVary(reply, 'Authorization', 'X-SVC-API-Key', 'SVC-Workspace-Id')
      refuseRepeatedCredentials(request)
      await identify(operation, transport, request, reply)
      checkHeaders(operation, request)
    },
    handler: async (request, reply) => {
      if (mayAnswerBytes(operation)) beginTransfer(transport, request)
      using slot = transport.bounds.admission.enter(
        operation,
        ownerOf(transport, request),
        commandOf(operation, request),
      )
      const waits = {
        wait: waitingOf(operation, transport, slot, request, reply),
        waitWithoutSlot: withoutIdleTimeout(slot.waitWithoutSlot, reply, transport.idleTimeout),
      }
      const answer = await transport.run(route, readCall(operation, request, waits))
      if (answer.stream) return sendStream(route.serialize, answer.stream, request, reply)
      if (answer.bytes) return sendBytes(answer.bytes, request, reply, transport.idleTimeout)
      return sendAnswer(operation, route.serialize, answer, request, reply)
    },
    config: {
      operation: operation.name,
      namesWorkspace: namesWorkspace(operation),
      ...(operation.body_limit !== undefined && { bodyLimit: operation.body_limit }),
    },
  })
}

const routePattern = (operation: Operation) => pathOf(operation).replaceAll(/\{(\w+)\}/g, ':$1')

const header = (request: FastifyRequest, name: string) => request.headers[name] as string | undefined

/**
 * Identifies the sender of a request and applies the rate limits, before parameters and body are read. Throws
 * unauthenticated, what `authenticate` throws, and rate_limited.
 */
async function identify(
  operation: Operation,
  transport: OperationTransport,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (operation.tag === 'System') return
  await transport.bounds.identifying.bounded(async () => {
    if (operation.audience !== 'public')
      request.caller = callerFor(
        operation,
        await authenticateWithin(transport, presented(request), request, reply),
        header(request, 'svc-workspace-id'),
      )
    await countRequest(operation, transport, request, reply)
  })
}

const presented = (request: FastifyRequest): Credentials => ({
  authorization: header(request, 'authorization'),
  api_key: header(request, 'x-svc-api-key'),
  address: request.ip,
})

function ownerOf({ chargedWorkspace }: OperationTransport, request: FastifyRequest): RequestOwner {
  const { caller, ip } = request
  if (!caller) return { key: `address:${addressKey(ip)}`, isAnonymous: true, workspace: null }
  const workspace = chargedWorkspace?.(caller, header(request, 'svc-workspace-id')) ?? null
  return { key: principalOf(caller), isAnonymous: false, workspace }
}

/** Counts the request as a transfer until it ends. HEAD sends no content. */
function beginTransfer({ bounds }: OperationTransport, request: FastifyRequest): void {
  if (request.method === 'HEAD') return
  const { caller, ip } = request
  const sender = { address: addressKey(ip), principal: caller && principalOf(caller) }
  request.lifetime.onEnd(bounds.transfers.begin(sender))
}

/** The key that duplicates of a change have in common; a query has no duplicates. */
function commandOf({ kind }: Operation, request: FastifyRequest): string {
  const key = kind === 'mutation' ? header(request, 'idempotency-key') : undefined
  return key === undefined ? request.id : `${header(request, 'svc-workspace-id') ?? ''} ${key}`
}

/** What an operation needs that waits. A request that waits holds no slot. */
function waitingOf(
  operation: Operation,
  transport: OperationTransport,
  slot: Slot,
  request: FastifyRequest,
  reply: FastifyReply,
): TransportWait | undefined {
  if (operation.kind !== 'query' || !operation.waits) return undefined
  const { openStreams } = transport.bounds
  return {
    last_event_id: header(request, 'last-event-id'),
    signal: openStreams.signalFor(request.lifetime),
    begin() {
      request.lifetime.onEnd(
        openStreams.begin(ownerOf(transport, request).key, isStream(operation) ? 'stream' : 'poll'),
      )
      slot.leave()
      // A stream sends heartbeats, so an idle connection is one that nobody reads.
      if (!isStream(operation)) extendIdleTimeout(reply, transport.idleTimeout)
    },
    authenticateAgain: () => transport.authenticate(presented(request)),
  }
}

function readCall(
  operation: Operation,
  request: FastifyRequest,
  waits: Pick<Call, 'wait' | 'waitWithoutSlot'>,
): Call {
  return {
    request_id: request.id,
    caller: request.caller,
    workspace_id: header(request, 'svc-workspace-id'),
    idempotency_key: header(request, 'idempotency-key'),
    claim_token: header(request, 'svc-claim-token'),
    if_match: header(request, 'if-match'),
    ...waits,
    gone: () => request.lifetime.signal(),
    input: {
      path: request.params as Record<string, string>,
      query: readQueryString(request.raw.url ?? ''),
      body: takesBody(operation) && Buffer.isBuffer(request.body) ? readJson(request.body) : undefined,
    },
  }
}
