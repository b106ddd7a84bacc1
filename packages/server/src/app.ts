import { openApiDocument } from '@wbs/contract/openapi'
import type { Tracer } from '@opentelemetry/api'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { StorageLimits } from './files/usage/storage-limit-store.ts'
import type { UploadSettings } from './files/uploads/upload.ts'
import type { Answer, Call } from './call/call.ts'
import type { Implementation } from './call/implement.ts'
import { validatorOf } from './call/input/validate.ts'
import { serializerOf } from './call/serialize.ts'
import type { Database } from './database/database.ts'
import { write } from './database/statement.ts'
import { createBounds, scaledSenderLimits } from './http/bounds/bounds.ts'
import { addDocuments } from './http/pages/documents.ts'
import { addInvitationPage } from './http/pages/invitation/invitation-page.ts'
import { addProtectedResource } from './http/pages/protected-resource.ts'
import { createHttpServer } from './http/server.ts'
import { signInOptions } from './identity/sign-in-options.ts'
import type { SignInClient } from './identity/sign-in-settings.ts'
import { isLoopback } from './identity/issuer-url.ts'
import { isWithin } from './identity/networks.ts'
import { jobLagSql, measureJobLag } from './jobs/job-lag.ts'
import type { Plugins } from './plugins/plugin.ts'
import { createRequestPath, type RequestPathParts } from './request-path.ts'
import { startIntervals, type IntervalParts } from './intervals.ts'
import type { LoggedAddresses } from './telemetry/log-settings.ts'
import { createByteRoutes, createHandlers } from './slices.ts'
import type { Environment } from './system/health.ts'
import { noMeter } from './telemetry/meter.ts'
import { measureEngine } from './valuations/engine-threads/engine-metrics.ts'
import { createEngineThreads, type EngineThreads } from './valuations/engine-threads/engine-threads.ts'
import { handleCreateWorkspace } from './workspaces/create-workspace.ts'

/** What the service is built from. Everything outside the process comes in here. */
export interface AppParts extends IntervalParts, RequestPathParts {
  database: Database
  /** The public clients with which people sign in at the issuers. */
  signIn: readonly SignInClient[]
  environment: Environment
  uploads: UploadSettings
  /** How much content a Workspace and a guest may have. */
  storage: StorageLimits
  /** Reach the apps of connections. */
  plugins: Plugins
  /** Computes valuations. It is closed with the app. By default in threads of its own. */
  engine?: EngineThreads
  /**
   * The address at which clients reach the service. A function, because the port may be known only after the server listens.
   */
  baseUrl: () => string
  /** Proxies whose statement about the address of a client is trusted. */
  trustedProxies: readonly string[]
  /** The origins whose pages may read answers; none but the service's own by default. */
  allowedOrigins?: readonly string[]
  /** The longest silence of a stream, in milliseconds; 15,000 by default. */
  heartbeat?: number
  /** Whether lines of requests have the address of the client; by default they do not. */
  loggedAddresses?: LoggedAddresses
  /** Traces requests; by default none is traced. */
  tracing?: { tracer: Tracer; continues_traces: boolean } | undefined
  log: FastifyBaseLogger
}

export interface App {
  server: FastifyInstance
  /** Tells proxies on /ready, and clients by closing their connections, to go to another node. Everything is still served. */
  drain(): void
  /** Saves the last uses of API keys now instead of at the next interval. */
  flushKeyUses(): Promise<void>
  /** Creates a Workspace in the way a request does, for set-up. */
  createWorkspace(call: Call): Promise<Answer>
}

/** The composition root: the only place that knows every slice. */
export function createApp(parts: AppParts): App {
  const { database, meter = noMeter, engine = createEngineThreads(), shutdown, now, log } = parts
  const draining = new AbortController()
  const stopping = new AbortController()
  const keyUse = startIntervals(parts)
  const path = createRequestPath(parts, keyUse.note)
  measureEngine(meter, engine)
  measureJobLag({ meter, read: () => database.counters.run(waitingJobs, {}) })
  const handlers = createHandlers({
    heartbeat: 15_000,
    ...parts,
    meter,
    engine,
    isDraining: () => draining.signal.aborted,
    isStopping: () => stopping.signal.aborted,
  })
  const isProxy = (address: string) => isWithin(parts.trustedProxies, address)
  const server = createHttpServer({
    ...parts,
    routes: handlers.map(runnable),
    ...path,
    bounds: createBounds(path.limiter && scaledSenderLimits(parts.rateLimitScale)),
    isProxy,
    byteRoutes: createByteRoutes(parts),
    draining: draining.signal,
    tracing: parts.tracing && {
      tracer: parts.tracing.tracer,
      followsTraceOf: peer => parts.tracing?.continues_traces === true && isProxy(peer),
    },
  })
  shutdown.add('requests', async timeIsOver => {
    stopping.abort()
    timeIsOver.addEventListener('abort', () => server.server.closeAllConnections(), { once: true })
    await server.close()
    await path.ended()
  })
  shutdown.add('engine', () => engine.close())
  addDocuments(server, openApiDocument, path)
  addInvitationPage(server, signInOptions(parts.signIn, { now, log }), {
    // The development identity is this service itself, and is loaded for its first request.
    asksEarly: parts.signIn.some(({ issuer }) => !isLoopback(new URL(issuer))),
  })
  addProtectedResource(server, {
    baseUrl: parts.baseUrl,
    signIn: { issuers: parts.issuers.map(({ issuer }) => issuer), clients: parts.signIn },
  })
  return {
    server,
    drain: () => draining.abort(),
    flushKeyUses: keyUse.flush,
    createWorkspace: call => path.run(runnable(handleCreateWorkspace), call),
  }
}

const runnable = (implementation: Implementation) => ({
  implementation,
  validate: validatorOf(implementation.operation),
  serialize: serializerOf(implementation.operation),
})

/** What the metrics know of the queues. It is read with the short timeout of the counters, in no transaction of a change. */
const waitingJobs = write<object>('waiting_jobs', jobLagSql)
