import { newId } from '@wbs/contract/ids'
import { isStream, methodOf, pathOf, takesBody, type Operation } from '@wbs/contract/operation'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Credentials } from '../call/authenticate.ts'
import { principalOf, type Caller } from '../call/caller.ts'
import { Problem } from '../call/problem.ts'
import { admit } from '../call/run.ts'
import type { Answer, Call, Runnable, Waiting } from '../call/call.ts'
import type { Serializer } from '../call/serialize.ts'
import { createAdmission, type Admission } from './admission.ts'
import { answerClientError, answerConnect } from './client-error.ts'
import { manageConnections } from './connections.ts'
import { judgeHeaders, refuseRepeatedCredentials } from './intake.ts'
import { authenticateWithin, countRequest, type LimitedDoor } from './limits.ts'
import { asProblem } from './problem-json.ts'
import { addProblemPages } from './problem-pages.ts'
import { readQueryString } from './query-string.ts'
import { readJson } from './read-json.ts'
import { logFault, logRequest } from './request-log.ts'
import { pathnameOf, refuseAmbiguousTarget } from './request-target.ts'
import { watchRoutes } from './route-table.ts'
import { sendAnswer } from './send-answer.ts'
import { commonHeaders, sendProblem } from './send-problem.ts'
import { sendStream } from './send-stream.ts'
import { allowSilence, manageWaits, type Waits } from './waits.ts'

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

export interface HttpDoor extends LimitedDoor {
  routes: readonly Route[]
  run(runnable: Runnable, call: Call): Promise<Answer>
  /** Where the service is reached: what problem types are under. Known once it listens. */
  baseUrl(): string
  log: FastifyBaseLogger
  /** How many requests may be under way at once; 512 unless given. */
  capacity?: number
  /** How long nothing may move on a connection, in milliseconds: 20,000 unless given. Ends what clients do not read. */
  silence?: number
  /** How many answers each caller may have waiting at once; as many as they like unless given. */
  mostWaiting?: number
  /** Addresses of proxies, as addresses or networks, which are believed about whom a request came from. */
  trustedProxies?: readonly string[]
}

const bodyLimit = 2 * 1024 * 1024
const silenceOf = ({ silence = 20_000 }: HttpDoor) => silence

/** The HTTP door: it knows the operations only as declarations, and hands every request to run(). */
export function createHttpServer(door: HttpDoor): FastifyInstance {
  const server = Fastify({
    loggerInstance: door.log,
    // The service writes a line of its own for each request.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => newId('req'),
    requestIdHeader: false,
    bodyLimit,
    trustProxy: door.trustedProxies?.length ? [...door.trustedProxies] : false,
    requestTimeout: 15_000,
    connectionTimeout: silenceOf(door),
    keepAliveTimeout: 5_000,
    forceCloseConnections: 'idle',
    // What still comes over an open connection while the service stops is served, and the connection closed.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 4096, querystringParser: () => ({}) },
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      insecureHTTPParser: false,
      // The door requires it itself: Node would refuse with an empty answer.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => answerClientError(door, connections, error, socket),
    frameworkErrors: (error, request, reply) => {
      void sendProblem(door.baseUrl(), asProblem(error), request, reply)
      logRequest(request, reply)
    },
  })
  server.decorateRequest('caller', null)
  server.decorateRequest('admitted', false)
  answerEveryMethod(server, door)
  const connections = manageConnections(server)
  judgeRoute(server, watchRoutes(server))
  takeJsonBodies(server)
  server.addHook('onResponse', async (request, reply) => logRequest(request, reply))
  server.setErrorHandler((error, request, reply) => {
    logFault(error, request)
    return sendProblem(door.baseUrl(), asProblem(error), request, reply)
  })
  const admission = createAdmission(door.capacity ?? 512)
  const waits = manageWaits(server, door.mostWaiting ?? Infinity)
  for (const route of door.routes) addRoute(server, door, { admission, waits }, route)
  addProblemPages(server)
  return server
}

/** Two kinds of request that Node would answer by itself, and with nothing in the answer. */
function answerEveryMethod({ server }: FastifyInstance, door: HttpDoor): void {
  server.on('connect', (_request, socket) => answerConnect(door, socket))
  // An expectation that nobody knows may be passed over (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** Refuses what leads nowhere before anything else of the request is looked at, its body included. */
function judgeRoute(server: FastifyInstance, allowedMethods: (pathname: string) => string[]): void {
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders(request.id))
    refuseAmbiguousTarget(request)
    if (request.is404 || namesNothing(request)) throw unrouted(allowedMethods(pathnameOf(request)))
  })
}

/** Where a path ends in a slash, or has two in a row, the router takes what is not there for an empty parameter. */
const namesNothing = ({ params }: FastifyRequest) =>
  Object.entries(params as Record<string, string>).some(([name, value]) => value === '' && name !== '*')

/** 405 where the path takes other methods, else 404. */
function unrouted(allowed: readonly string[]): Problem {
  const allow = allowed.join(', ')
  if (allow === '') return new Problem('not_found', 'There is nothing under this path.', {})
  return new Problem('method_not_allowed', `This path takes ${allow}.`, {}, { allow })
}

/** Bodies are handed on as they come; what reads them refuses them without a word of the framework's in between. */
function takeJsonBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
}

interface Bounds {
  admission: Admission
  waits: Waits
}

function addRoute(server: FastifyInstance, door: HttpDoor, bounds: Bounds, route: Route): void {
  const { operation } = route.implementation
  const { admission } = bounds
  server.route({
    method: methodOf(operation),
    url: routePattern(operation),
    onRequest: async (request, reply) => {
      if (operation.audience !== 'public')
        reply.header('vary', 'Authorization, X-SVC-API-Key, SVC-Workspace-Id')
      refuseRepeatedCredentials(request)
      admission.enter(operation, request)
      request.caller = await callerOf(operation, door, request, reply)
      await countRequest(operation, door, request, reply)
      judgeHeaders(operation, request)
    },
    handler: async (request, reply) => {
      const waiting = waitingOf(operation, door, bounds, request, reply)
      const answer = await door.run(route, readCall(operation, request, waiting))
      if (answer.items) return sendStream(route.serialize, answer.items, request, reply)
      return sendAnswer(operation, route.serialize, answer, request, reply)
    },
    onSend: async (request, _reply, payload) => {
      admission.leave(request)
      return payload
    },
    config: { operation: operation.name },
  })
}

const routePattern = (operation: Operation) => pathOf(operation).replaceAll(/\{(\w+)\}/g, ':$1')

const header = (request: FastifyRequest, name: string) => request.headers[name] as string | undefined

/** Who sends the request, found out before its parameters and body are looked at. Throws unauthenticated, or what authenticate does. */
async function callerOf(
  operation: Operation,
  door: HttpDoor,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | null> {
  if (operation.audience === 'public') return null
  return admit(operation, await authenticateWithin(door, presented(request), request, reply))
}

const presented = (request: FastifyRequest): Credentials => ({
  authorization: header(request, 'authorization'),
  api_key: header(request, 'x-svc-api-key'),
  address: request.ip,
})

/** What an operation that waits goes by. While it does, it takes no place from others. */
function waitingOf(
  operation: Operation,
  door: HttpDoor,
  { admission, waits }: Bounds,
  request: FastifyRequest,
  reply: FastifyReply,
): Waiting | undefined {
  if (operation.kind !== 'query' || !operation.waits) return undefined
  return {
    last_event_id: header(request, 'last-event-id'),
    over: waits.endOf(reply),
    begin() {
      if (request.caller) waits.begin(principalOf(request.caller), reply)
      admission.leave(request)
      // A stream moves by itself; where it does not, nobody reads it.
      if (!isStream(operation)) allowSilence(reply, silenceOf(door))
    },
    callerNow: () => door.authenticate(presented(request)),
  }
}

function readCall(operation: Operation, request: FastifyRequest, waiting: Waiting | undefined): Call {
  return {
    request_id: request.id,
    caller: request.caller,
    workspace_id: header(request, 'svc-workspace-id'),
    idempotency_key: header(request, 'idempotency-key'),
    if_match: header(request, 'if-match'),
    waiting,
    input: {
      path: request.params as Record<string, string>,
      query: readQueryString(request.raw.url ?? ''),
      body: takesBody(operation) && Buffer.isBuffer(request.body) ? readJson(request.body) : undefined,
    },
  }
}
