import { isStream, methodOf, pathOf, type Operation } from '@wbs/contract/operation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Answer, Call, Runnable, TransportWait } from '../call/call.ts'
import { principalOf, type Caller } from '../call/authority/caller.ts'
import type { Serializer } from '../call/serialize.ts'
import { addressKey } from '../limits/address.ts'
import type { Slot, RequestOwner } from './bounds/admission.ts'
import type { Bounds } from './bounds/bounds.ts'
import {
  checkHeaders,
  identify,
  presented,
  refuseRepeatedCredentials,
  requestForm,
  type RateLimitedTransport,
  type RequestForm,
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
  const { bounds, idleTimeout } = transport
  const form = requestForm(operation)
  server.route({
    method: methodOf(operation),
    url: routePattern(operation),
    onRequest: async (request, reply) => {
      if (operation.audience !== 'public') varyByCaller(reply)
      refuseRepeatedCredentials(request)
      if (operation.tag !== 'System')
        await bounds.identifying.bounded(() => identify(operation, transport, request, reply))
      checkHeaders(form, request)
    },
    handler: async (request, reply) => {
      if (form.mayAnswerBytes) beginTransfer(transport, request)
      using slot = bounds.admission.enter(
        operation,
        ownerOf(transport, request),
        commandOf(operation, request),
      )
      const waits = {
        wait: waitingOf(operation, transport, slot, request, reply),
        waitWithoutSlot: <T>(work: () => Promise<T>) =>
          withoutIdleTimeout(slot.waitWithoutSlot, reply, idleTimeout)(work),
      }
      const answer = await transport.run(route, readCall(form, request, waits))
      if (answer.stream) return sendStream(route.serialize, answer.stream, request, reply)
      if (answer.bytes) return sendBytes(answer.bytes, request, reply, idleTimeout)
      return sendAnswer(operation, route.serialize, answer, request, reply)
    },
    config: {
      operation: operation.name,
      namesWorkspace: namesWorkspace(operation),
      ...(operation.body_limit !== undefined && { bodyLimit: operation.body_limit }),
    },
  })
}

/** The headers of a request that say whose it is, on which an answer depends. */
const callerHeaders = ['Authorization', 'X-SVC-API-Key', 'SVC-Workspace-Id']
const variesByCaller = callerHeaders.join(', ')

function varyByCaller(reply: FastifyReply): void {
  if (reply.hasHeader('vary')) addVary(reply, ...callerHeaders)
  else reply.header('vary', variesByCaller)
}

const routePattern = (operation: Operation) => pathOf(operation).replaceAll(/\{(\w+)\}/g, ':$1')

function ownerOf({ chargedWorkspace }: OperationTransport, request: FastifyRequest): RequestOwner {
  const { caller, ip, headers } = request
  if (!caller) return { key: `address:${addressKey(ip)}`, isAnonymous: true, workspace: null }
  const named = headers['svc-workspace-id'] as string | undefined
  const workspace = chargedWorkspace?.(caller, named) ?? null
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
function commandOf({ kind }: Operation, { id, headers }: FastifyRequest): string {
  const key = kind === 'mutation' ? headers['idempotency-key'] : undefined
  return key === undefined ? id : `${String(headers['svc-workspace-id'] ?? '')} ${String(key)}`
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
    last_event_id: request.headers['last-event-id'] as string | undefined,
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
  { takesBody }: RequestForm,
  request: FastifyRequest,
  waits: Pick<Call, 'wait' | 'waitWithoutSlot'>,
): Call {
  const headers = request.headers as Record<string, string | undefined>
  const { url = '' } = request.raw
  return {
    request_id: request.id,
    caller: request.caller,
    workspace_id: headers['svc-workspace-id'],
    idempotency_key: headers['idempotency-key'],
    claim_token: headers['svc-claim-token'],
    if_match: headers['if-match'],
    ...waits,
    gone: () => request.lifetime.signal(),
    input: {
      path: request.params as Record<string, string>,
      query: url.includes('?') ? readQueryString(url) : noQuery,
      body: takesBody && Buffer.isBuffer(request.body) ? readJson(request.body) : undefined,
    },
  }
}

const noQuery: ReadonlyMap<string, string[]> = new Map()
