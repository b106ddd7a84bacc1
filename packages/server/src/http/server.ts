import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { addByteRoutes, type ByteRoutes } from './bytes/byte-routes.ts'
import { createLongBodies } from './bytes/long-bodies.ts'
import { leastRate, type ArrivalRate } from './bytes/receive-body.ts'
import { createBounds, type Bounds } from './bounds/bounds.ts'
import { answerClientError, answerConnect, type SocketTransport } from './client-error.ts'
import { createCrossOrigin } from './cross-origin/cross-origin.ts'
import { boundConnections, type ConnectionSettings } from './bounds/connection-bounds.ts'
import {
  manageConnections,
  trackRequestLifetimes,
  queuePipelinedRequests,
  type PipeliningSettings,
  noteUnnamedProxy,
} from './bounds/connections.ts'
import { addOperation, type OperationTransport, type Route } from './operation-route.ts'
import { asProblem } from './answers/problem-json.ts'
import { noMeter } from '../telemetry/meter.ts'
import { measureBounds } from './bounds/bounds-metrics.ts'
import { measureRequests } from './answers/request-metrics.ts'
import { takeJsonBodies } from './requests/read-body.ts'
import {
  createRequestWatch,
  newRequestId,
  watchRequests,
  type RequestWatchSettings,
} from './answers/request-watch.ts'
import { inTraced } from '../telemetry/spans.ts'
import { logFault, logRequests } from './answers/request-log.ts'
import { judgeRoute, leaveQueryUnread } from './judge-route.ts'
import { watchRoutes } from './route-table.ts'
import { sendProblem } from './answers/send-problem.ts'

export interface HttpTransport
  extends
    Omit<OperationTransport, 'bounds' | 'idleTimeout'>,
    ConnectionSettings,
    PipeliningSettings,
    RequestWatchSettings {
  routes: readonly Route[]
  /** The base URL of the service, which problem types begin with. Known once it listens. */
  baseUrl(): string
  log: FastifyBaseLogger
  /** The limits of this node. Default: createBounds(). */
  bounds?: Bounds
  /** The idle timeout of a connection, in milliseconds. It ends connections whose clients do not read. Default: 20,000. */
  idleTimeout?: number
  /** What is behind URLs that carry their own authority. Without it there are no such URLs. */
  byteRoutes?: ByteRoutes
  /** How fast the body of a part must arrive. Default: 30 KiB in 30 seconds. */
  arrivalRate?: ArrivalRate
  /** Addresses and networks of proxies whose X-Forwarded-For header is trusted. */
  trustedProxies?: readonly string[]
  /** Aborted when the node is about to stop. Default: never. */
  draining?: AbortSignal
  /** The origins whose pages may read answers. Default: none but the service's own. */
  allowedOrigins?: readonly string[]
}

/** The HTTP transport. It knows operations by their declarations only, and passes every request to run(). */
export function createHttpServer(transport: HttpTransport): FastifyInstance {
  const { idleTimeout = 20_000, bounds = createBounds(), arrivalRate = leastRate, byteRoutes } = transport
  const { meter = noMeter } = transport
  measureBounds(meter, bounds)
  const longBodies = createLongBodies(idleTimeout)
  const crossOrigin = createCrossOrigin(transport.allowedOrigins ?? [])
  const watch = createRequestWatch(transport, [
    logRequests(transport.log),
    measureRequests(meter),
    ...(transport.onFinished ?? []),
  ])
  const server = Fastify({
    loggerInstance: transport.log,
    // The service logs a line of its own for each request.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: transport.trustedProxies?.length ? [...transport.trustedProxies] : false,
    requestTimeout: 15_000,
    connectionTimeout: idleTimeout,
    keepAliveTimeout: 5_000,
    forceCloseConnections: 'idle',
    // No route has a schema for Fastify, so its compilers, with an Ajv of their own, are not loaded.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // Requests that arrive on an open connection while the service stops are served, and then the connection is closed.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 4096, querystringParser: leaveQueryUnread },
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      insecureHTTPParser: false,
      // The transport checks it itself, because Node would refuse with an empty answer.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => {
      // Parts have a rule of their own: how fast they arrive.
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && longBodies.isArriving(socket)) return
      answerClientError({ ...transport, watch }, connections, error, socket)
    },
    frameworkErrors: (error, request, reply) => {
      // No hook has run.
      watch.begin(request, reply)
      crossOrigin?.mark(request, reply)
      void sendProblem(transport.baseUrl(), asProblem(error), request, reply)
    },
  })
  server.decorateRequest('caller', null)
  server.decorateRequest('facts').decorateRequest('traced')
  answerEveryMethod(server, { ...transport, watch })
  trackRequestLifetimes(server)
  boundConnections(server, transport)
  const connections = manageConnections(server, transport.draining)
  // After the connections, which leave requests unread that they can no longer answer; before any wait.
  watchRequests(server, watch)
  noteUnnamedProxy(server, transport)
  queuePipelinedRequests(server, transport)
  if (transport.tracing) runInTraces(server)
  judgeRoute(server, watchRoutes(server), crossOrigin)
  takeJsonBodies(server, bounds.bodies)
  server.setErrorHandler((error, request, reply) => {
    logFault(error, request)
    return sendProblem(transport.baseUrl(), asProblem(error), request, reply)
  })
  server.addHook('preClose', async () => bounds.openStreams.stop())
  for (const route of transport.routes) addOperation(server, { ...transport, bounds, idleTimeout }, route)
  if (byteRoutes)
    addByteRoutes(server, { ...transport, bounds, idleTimeout, arrivalRate }, byteRoutes, longBodies)
  return server
}

function noCompiler(): never {
  throw new Error('A route has a schema; declare it as an operation.')
}

/** After the queue, in which a request waits for another one's end. What runs from here on knows the request's trace. */
function runInTraces(server: FastifyInstance): void {
  server.addHook('onRequest', ({ traced }, _reply, done) => (traced ? inTraced(traced, done) : done()))
}

/** Two kinds of request that Node would answer itself, with an empty body. */
function answerEveryMethod({ server }: FastifyInstance, transport: SocketTransport): void {
  server.on('connect', (_request, socket) => answerConnect(transport, socket))
  // An unknown expectation may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}
