import { newId } from '@wbs/contract/ids'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify'
import { Problem } from '../call/problem.ts'
import { createBounds, type Bounds } from './bounds/bounds.ts'
import { answerClientError, answerConnect } from './client-error.ts'
import { boundConnections, type ConnectionSettings } from './bounds/connection-bounds.ts'
import { manageConnections } from './connections.ts'
import { trackRequestLifetimes } from './request-lifetime.ts'
import { addOperation, type OperationTransport, type Route } from './operation-route.ts'
import { asProblem } from './answers/problem-json.ts'
import { addProblemPages } from './pages/problem-pages.ts'
import { readBody } from './requests/read-body.ts'
import { logFault, logRequest } from './answers/request-log.ts'
import { pathnameOf, refuseAmbiguousTarget } from './request-target.ts'
import { watchRoutes } from './route-table.ts'
import { commonHeaders, sendProblem } from './answers/send-problem.ts'
import { queuePipelinedRequests, type PipeliningSettings } from './bounds/pipelining.ts'

export interface HttpTransport
  extends Omit<OperationTransport, 'bounds' | 'idleTimeout'>, ConnectionSettings, PipeliningSettings {
  routes: readonly Route[]
  /** Where the service is reached: what problem types are under. Known once it listens. */
  baseUrl(): string
  log: FastifyBaseLogger
  /** What requests may take of this node; the usual unless given. */
  bounds?: Bounds
  /** How long nothing may move on a connection, in milliseconds: 20,000 unless given. Ends what clients do not read. */
  idleTimeout?: number
  /** Addresses of proxies, as addresses or networks, which are believed about whom a request came from. */
  trustedProxies?: readonly string[]
}

/** The HTTP door: it knows the operations only as declarations, and hands every request to run(). */
export function createHttpServer(transport: HttpTransport): FastifyInstance {
  const { idleTimeout = 20_000, bounds = createBounds() } = transport
  const server = Fastify({
    loggerInstance: transport.log,
    // The service writes a line of its own for each request.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => newId('req'),
    requestIdHeader: false,
    trustProxy: transport.trustedProxies?.length ? [...transport.trustedProxies] : false,
    requestTimeout: 15_000,
    connectionTimeout: idleTimeout,
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
    clientErrorHandler: (error, socket) => answerClientError(transport, connections, error, socket),
    frameworkErrors: (error, request, reply) => {
      void sendProblem(transport.baseUrl(), asProblem(error), request, reply)
      logRequest(request, reply)
    },
  })
  server.decorateRequest('caller', null)
  answerEveryMethod(server, transport)
  trackRequestLifetimes(server)
  boundConnections(server, transport)
  const connections = manageConnections(server)
  queuePipelinedRequests(server, transport)
  judgeRoute(server, watchRoutes(server))
  takeJsonBodies(server, bounds)
  server.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply)
    done()
  })
  server.setErrorHandler((error, request, reply) => {
    logFault(error, request)
    return sendProblem(transport.baseUrl(), asProblem(error), request, reply)
  })
  server.addHook('preClose', async () => bounds.openStreams.stop())
  for (const route of transport.routes) addOperation(server, { ...transport, bounds, idleTimeout }, route)
  addProblemPages(server)
  return server
}

/** Two kinds of request that Node would answer by itself, and with nothing in the answer. */
function answerEveryMethod({ server }: FastifyInstance, transport: HttpTransport): void {
  server.on('connect', (_request, socket) => answerConnect(transport, socket))
  // An expectation that nobody knows may be passed over (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** Refuses what leads nowhere before anything else of the request is looked at, its body included. */
function judgeRoute(server: FastifyInstance, allowedMethods: (pathname: string) => string[]): void {
  // What it throws goes where other hooks' refusals go; an async hook would only make each request wait once more.
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request.id))
    refuseAmbiguousTarget(request)
    if (request.is404 || namesNothing(request)) throw unrouted(allowedMethods(pathnameOf(request)))
    done()
  })
}

/** Where a path ends in a slash, or has two in a row, the router takes what is not there for an empty parameter. */
const namesNothing = ({ params }: FastifyRequest) =>
  Object.entries(params as Record<string, string>).some(([name, value]) => value === '' && name !== '*')

/** 405 where the path takes other methods, else 404. */
function unrouted(allowed: readonly string[]): Problem {
  const allow = allowed.join(', ')
  if (allow === '') return new Problem('not_found', 'There is nothing at this path.', {})
  return new Problem('method_not_allowed', `This path supports ${allow}.`, {}, { allow })
}

/** Bodies are handed on as they come; what reads them refuses them without a word of the framework's in between. */
function takeJsonBodies(server: FastifyInstance, { bodies }: Bounds): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', (request: FastifyRequest) => readBody(request, bodies))
}
