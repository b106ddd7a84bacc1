import { newId } from '@wbs/contract/ids'
import { workspaceOf, type Operation } from '@wbs/contract/operation'
import type { ProblemCode } from '@wbs/contract/problems'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { principalOf } from '../../call/authority/caller.ts'
import type { LoggedAddresses } from '../../telemetry/log-settings.ts'
import type { Traced } from '../../telemetry/spans.ts'
import { faultRecord } from '../../telemetry/fault-record.ts'
import type { FinishedRequest, OnFinished } from './finished-request.ts'
import { loggedAddress } from './logged-address.ts'
import { endRequestSpan, startRequestSpan, type RequestTracing } from './request-span.ts'

declare module 'fastify' {
  interface FastifyRequest {
    facts: RequestFacts
    /** Set if it is sampled. */
    traced: Traced | undefined
  }
}

/** What is found out about a request while it is answered. */
export interface RequestFacts {
  problem_code?: ProblemCode
  /** The limit that was reached, if the request was refused because of one. */
  limit?: string
  replayed?: true
  /** The principal of a request whose URL carries its authority. */
  principal?: string
}

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
  /** Whether the address of a client is kept. Default: no. */
  loggedAddresses?: LoggedAddresses
  /** Default: no request is traced. */
  tracing?: RequestTracing | undefined
}

/** The status of a request whose client got no answer, as nginx logs it. */
const clientGone = 499

export function createRequestWatch(
  { log, loggedAddresses = 'off', tracing }: RequestWatchSettings,
  listeners: readonly OnFinished[],
): RequestWatch {
  const addressOf = (address: string | undefined) =>
    address === undefined ? undefined : loggedAddress(loggedAddresses, address)

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
      const { url } = request.routeOptions
      const path_pattern = url === undefined ? null : patternOf(url)
      const traced = tracing && startRequestSpan(tracing, request, path_pattern)
      request.traced = traced
      // Every response closes, once: after its end, or with its connection.
      reply.raw.once('close', () => {
        const finished = factsOf(request, reply, {
          began,
          path_pattern,
          client_address: addressOf(request.ip),
        })
        if (traced) endRequestSpan(traced, finished)
        tell(finished)
      })
    },
  }
}

function factsOf(
  request: FastifyRequest,
  { raw }: FastifyReply,
  known: { began: number } & Pick<FinishedRequest, 'path_pattern' | 'client_address'>,
): FinishedRequest {
  const { caller, facts, traced } = request
  const { config } = request.routeOptions as {
    config?: { operation?: string; namesWorkspace?: boolean }
  }
  return {
    request_id: request.id,
    operation: config?.operation ?? null,
    method: request.method,
    path_pattern: known.path_pattern,
    status: raw.headersSent ? raw.statusCode : clientGone,
    problem_code: facts.problem_code,
    limit: facts.limit,
    milliseconds: performance.now() - known.began,
    principal: caller ? principalOf(caller) : facts.principal,
    workspace_id: workspaceIn(request, config?.namesWorkspace === true),
    client_address: known.client_address,
    trace_id: traced?.span.spanContext().traceId,
    replayed: facts.replayed === true,
    incomplete: !raw.writableFinished,
  }
}

export function watchRequests(server: FastifyInstance, watch: RequestWatch): void {
  server.addHook('onRequest', (request, reply, done) => {
    watch.begin(request, reply)
    done()
  })
}

export const newRequestId = () => newId('req')

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
