import { workspaceOf, type Operation } from '@wbs/contract/operation'
import type { ProblemCode } from '@wbs/contract/problems'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { principalOf } from '../../call/authority/caller.ts'
import { faultRecord } from './fault.ts'

declare module 'fastify' {
  interface FastifyRequest {
    facts: RequestFacts
  }
}

/** What is found out about a request while it is answered. */
export interface RequestFacts {
  problem_code?: ProblemCode
  replayed?: true
  /** The principal of a request whose URL carries its authority. */
  principal?: string
}

/**
 * The facts of a request that has ended. The log and the metrics know a request by these alone. Nothing in them is text of
 * the client: a Workspace that the client named is here only if it is a UUID, and the caller need not belong to it.
 */
export interface FinishedRequest {
  /** The header SVC-Request-Id of the answer. */
  request_id: string
  /** Null for a path that is no operation. */
  operation: string | null
  /** Null if no request line was read. */
  method: string | null
  /** The path of the route, such as `/v1/rooms/{room_id}`. Null if there is no route. */
  path_pattern: string | null
  /** 499 if the connection ended before an answer began. */
  status: number
  /** Also the reason why a stream ended that had begun with 200. */
  problem_code?: ProblemCode | undefined
  /** From its arrival until its answer was sent; of a stream, until it ended. 0 for what never became a request. */
  milliseconds: number
  /** `user:…` or `key:…`, as principalOf() names them. */
  principal?: string | undefined
  /** The Workspace that the request names, or that its API key belongs to. */
  workspace_id?: string | undefined
  /** In the form that the settings allow; by default there is none. */
  client_address?: string | undefined
  /** Whether the answer is the stored one of an earlier request. */
  replayed: boolean
  /** Whether the connection ended before the whole answer was sent. */
  incomplete: boolean
  /** Why it never became a request: the code of Node's HTTP parser. */
  parser_code?: string | undefined
}

/** Called once for each request, when it has ended. */
export type OnFinished = (request: FinishedRequest) => void

/** Sees requests to their ends. */
export interface RequestWatch {
  /** Watches a request from now on. */
  begin(request: FastifyRequest, reply: FastifyReply): void
  /** Tells of one that never became a request. */
  tell: OnFinished
  /** The address of a client in the form that may be kept; undefined for none. */
  addressOf(address: string | undefined): string | undefined
}

export interface RequestWatchSettings {
  log: FastifyBaseLogger
  /** What is told of each request. */
  onFinished?: readonly OnFinished[]
  /** The form in which the address of a client may be kept. Default: not at all. */
  clientAddress?: (address: string) => string | undefined
}

/** The status of a request whose client got no answer, as nginx logs it. */
const clientGone = 499

export function createRequestWatch(
  { log, clientAddress }: RequestWatchSettings,
  listeners: readonly OnFinished[],
): RequestWatch {
  const addressOf = (address: string | undefined) =>
    address === undefined ? undefined : clientAddress?.(address)

  // Called by an event of a socket, where an error would end the process.
  function tell(finished: FinishedRequest): void {
    for (const listener of listeners)
      try {
        listener(finished)
      } catch (error) {
        log.error(
          { request_id: finished.request_id, fault: faultRecord(error) },
          'a finished request could not be recorded',
        )
      }
  }

  return {
    tell,
    addressOf,
    begin(request, reply) {
      const began = performance.now()
      request.facts = {}
      // Every response closes, once: after its end, or with its connection.
      reply.raw.once('close', () => tell(factsOf(request, reply, began, clientAddress)))
    },
  }
}

function factsOf(
  request: FastifyRequest,
  { raw }: FastifyReply,
  began: number,
  clientAddress: RequestWatchSettings['clientAddress'],
): FinishedRequest {
  const { caller, facts } = request
  const { url, config } = request.routeOptions as {
    url?: string
    config?: { operation?: string; namesWorkspace?: boolean }
  }
  return {
    request_id: request.id,
    operation: config?.operation ?? null,
    method: request.method,
    path_pattern: url === undefined ? null : patternOf(url),
    status: raw.headersSent ? raw.statusCode : clientGone,
    problem_code: facts.problem_code,
    milliseconds: performance.now() - began,
    principal: caller ? principalOf(caller) : facts.principal,
    workspace_id: workspaceIn(request, config?.namesWorkspace === true),
    client_address: clientAddress?.(request.ip),
    replayed: facts.replayed === true,
    incomplete: !raw.writableFinished,
  }
}

const patterns = new Map<string, string>()

/** The pattern of a route as the OpenAPI document writes it. There are as many as there are routes. */
function patternOf(url: string): string {
  const known = patterns.get(url)
  if (known !== undefined) return known
  const pattern = url.replaceAll(/:(\w+)/g, '{$1}')
  patterns.set(url, pattern)
  return pattern
}

/** Whether requests for an operation say in which Workspace they are. */
export const namesWorkspace = (operation: Operation): boolean => workspaceOf(operation) !== 'none'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function workspaceIn({ headers, caller }: FastifyRequest, isNamed: boolean): string | undefined {
  const named = isNamed ? headers['svc-workspace-id'] : undefined
  if (typeof named === 'string' && uuid.test(named)) return named.toLowerCase()
  return named === undefined && caller?.kind === 'key' ? caller.workspace_id : undefined
}
