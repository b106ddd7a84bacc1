import { methodOf, pathOf, takesBody, type Operation } from '@wbs/contract/operation'
import { newId } from '@wbs/contract/ids'
import { apiVersion } from '@wbs/contract/system'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Caller } from '../call/caller.ts'
import { Problem } from '../call/problem.ts'
import type { Answer, Call, Runnable } from '../call/run.ts'
import type { Serializer } from '../call/serialize.ts'
import { refuseEncodedBody, refuseRepeatedHeaders, refuseUnacceptable } from './intake.ts'
import { asProblem, problemBody } from './problem-json.ts'
import { readQueryString } from './query-string.ts'
import { readJson } from './read-json.ts'
import { watchRoutes } from './route-table.ts'
import { sendAnswer } from './send-answer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sends the request; null where no credential came with it. */
    caller: Caller | null
  }
}

/** An operation that this door opens. */
export interface Route extends Runnable {
  serialize: Serializer
}

export interface HttpDoor {
  routes: readonly Route[]
  authenticate(credentials: {
    authorization: string | undefined
    api_key: string | undefined
  }): Promise<Caller | null>
  run(runnable: Runnable, call: Call): Promise<Answer>
  /** Where the service is reached: what problem types are under. Known once it listens. */
  baseUrl(): string
  log: FastifyBaseLogger
}

const bodyLimit = 2 * 1024 * 1024

/** The HTTP door: it knows the operations only as declarations, and hands every request to run(). */
export function createHttpServer(door: HttpDoor): FastifyInstance {
  const server = Fastify({
    loggerInstance: door.log,
    // The service writes a line of its own for each request.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => newId('req'),
    requestIdHeader: false,
    bodyLimit,
    requestTimeout: 15_000,
    keepAliveTimeout: 5_000,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    routerOptions: { maxParamLength: 4096, querystringParser: () => ({}) },
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000, insecureHTTPParser: false },
    frameworkErrors: (error, request, reply) => void sendProblem(door, asProblem(error), request, reply),
  })
  const allowedMethods = watchRoutes(server)
  server.decorateRequest('caller', null)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      refuseEncodedBody(request)
      return readJson(body)
    },
  )
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'svc-request-id': request.id,
      'svc-api-version': apiVersion,
      'x-content-type-options': 'nosniff',
    })
  })
  server.addHook('onResponse', async (request, reply) => logRequest(request, reply))
  server.setErrorHandler((error, request, reply) =>
    sendProblem(door, asProblem(logged(error, request)), request, reply),
  )
  server.setNotFoundHandler((request, reply) =>
    sendProblem(door, unrouted(allowedMethods, request), request, reply),
  )
  for (const route of door.routes) addRoute(server, door, route)
  return server
}

function addRoute(server: FastifyInstance, door: HttpDoor, route: Route): void {
  const { operation } = route.implementation
  server.route({
    method: methodOf(operation),
    url: routePattern(operation),
    onRequest: async request => {
      refuseRepeatedHeaders(request)
      if (operation.audience !== 'public') request.caller = await door.authenticate(credentialsOf(request))
      refuseUnacceptable(request)
    },
    handler: async (request, reply) => {
      const answer = await door.run(route, readCall(operation, request))
      return sendAnswer(operation, route.serialize, answer, request, reply)
    },
    config: { operation: operation.name },
  })
}

const routePattern = (operation: Operation) => pathOf(operation).replaceAll(/\{(\w+)\}/g, ':$1')

const header = (request: FastifyRequest, name: string) => request.headers[name] as string | undefined

const credentialsOf = (request: FastifyRequest) => ({
  authorization: header(request, 'authorization'),
  api_key: header(request, 'x-svc-api-key'),
})

function readCall(operation: Operation, request: FastifyRequest): Call {
  return {
    request_id: request.id,
    caller: request.caller,
    workspace_id: header(request, 'svc-workspace-id'),
    idempotency_key: header(request, 'idempotency-key'),
    input: {
      path: request.params as Record<string, string>,
      query: readQueryString(request.raw.url ?? ''),
      body: takesBody(operation) ? request.body : undefined,
    },
  }
}

/** 405 where the path takes other methods, else 404. */
function unrouted(allowedMethods: (path: string) => string[], request: FastifyRequest): Problem {
  const allowed = allowedMethods(pathnameOf(request)).join(', ')
  if (allowed === '') return new Problem('not_found', 'There is nothing under this path.', {})
  return new Problem('method_not_allowed', `This path takes ${allowed}.`, {}, { allow: allowed })
}

const pathnameOf = (request: FastifyRequest) => request.url.split('?', 1)[0] ?? '/'

function sendProblem(
  door: HttpDoor,
  problem: Problem,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const body = problemBody(problem, {
    base_url: door.baseUrl(),
    instance: pathnameOf(request),
    request_id: request.id,
  })
  return reply
    .code(problem.status)
    .headers({ 'cache-control': 'private, no-store', ...problem.headers })
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(body))
}

/** Faults are logged with their stack; refusals are everyday, and the line of the request says enough. */
function logged(error: unknown, request: FastifyRequest): unknown {
  if (asProblem(error).code === 'internal_error' && error instanceof Error)
    request.log.error(
      { fault: { name: error.name, message: error.message, stack: error.stack } },
      'a request failed',
    )
  return error
}

/** One line a request, of named fields alone: nothing that a client sent but the path's own shape. */
function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { operation } = request.routeOptions.config as { operation?: string }
  const { caller } = request
  request.log.info(
    {
      operation,
      method: request.method,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(caller && { principal: caller.kind === 'key' ? `key:${caller.key_id}` : `user:${caller.user_id}` }),
    },
    'request',
  )
}
