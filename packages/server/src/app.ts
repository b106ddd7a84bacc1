import { createHash, createSecretKey } from 'node:crypto'
import { openApiDocument } from '@wbs/contract/openapi'
import type { Meter, Tracer } from '@opentelemetry/api'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { BlobStore } from './blobs/blob-store.ts'
import { createBlobSweeper } from './files/processing/blob-sweeper.ts'
import type { StorageLimits } from './files/usage/storage-limit-store.ts'
import type { UploadSettings } from './files/uploads/upload.ts'
import { authenticate } from './call/authority/authenticate.ts'
import { chargedWorkspace, createKnownMembers, type KnownMembers } from './call/authority/known-members.ts'
import { createKeyUse } from './call/authority/key-use.ts'
import type { Answer, Call, Pipeline } from './call/call.ts'
import { sortedJson } from './call/commands/claim-key.ts'
import { createSingleFlight } from './call/commands/attempts.ts'
import type { Implementation } from './call/implement.ts'
import { createValidator } from './call/input/validate.ts'
import { run, createRunning } from './call/run.ts'

import { createSerializer } from './call/serialize.ts'
import type { Database } from './database/database.ts'
import { write } from './database/statement.ts'
import { createBounds, scaledSenderLimits } from './http/bounds/bounds.ts'
import { addDocuments } from './http/pages/documents.ts'
import { addInvitationPage } from './http/pages/invitation/invitation-page.ts'
import { addProtectedResource } from './http/pages/protected-resource.ts'
import { createHttpServer } from './http/server.ts'
import type { IssuerSettings } from './identity/issuer-settings.ts'
import { signInOptions } from './identity/sign-in-options.ts'
import type { SignInClient } from './identity/sign-in-settings.ts'
import { createTokenVerifier, type TokenVerifier } from './identity/issuers.ts'
import { isWithin } from './identity/networks.ts'
import { jobLagSql, measureJobLag } from './jobs/job-lag.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Plugins } from './plugins/plugin.ts'
import type { Shutdown } from './shutdown.ts'
import type { LoggedAddresses } from './telemetry/log-settings.ts'
import { createBucketStore } from './limits/bucket-store.ts'
import { createLimiter, type Limiter } from './limits/limiter.ts'
import { createByteRoutes, createHandlers, visibilityChecks } from './slices.ts'
import type { Environment } from './system/health.ts'
import { noMeter } from './telemetry/meter.ts'
import { measureEngine } from './valuations/engine-threads/engine-metrics.ts'
import { createEngineThreads, type EngineThreads } from './valuations/engine-threads/engine-threads.ts'
import { createVisitorSweeper } from './valuations/visitors/visitor-sweeper.ts'
import { handleCreateWorkspace } from './workspaces/create-workspace.ts'

/** What the service is built from. Everything outside the process comes in here. */
export interface AppParts {
  database: Database
  issuers: readonly IssuerSettings[]
  /** The public clients with which people sign in at the issuers. */
  signIn: readonly SignInClient[]
  environment: Environment
  /** Queues jobs. */
  jobs: Pick<Jobs, 'send'>
  /** Where the content of Files is. */
  blobs: BlobStore
  uploads: UploadSettings
  /** How much content a Workspace and a guest may have. */
  storage: StorageLimits
  /** Reach the apps of connections. */
  plugins: Plugins
  /** Computes valuations. It is closed with the app. By default in threads of its own. */
  engine?: EngineThreads
  /** How often content that belongs to no File is removed, in milliseconds; an hour by default. */
  sweepPause?: number
  /** The key for request fingerprints, invitation tokens and feed cursors. */
  secret: Buffer
  now: () => Date
  /**
   * The address at which clients reach the service. A function, because the port may be known only after the server listens.
   */
  baseUrl: () => string
  /** Multiplies the quotas of all rate limits; 0 disables them. */
  rateLimitScale: number
  /** Proxies whose statement about the address of a client is trusted. */
  trustedProxies: readonly string[]
  /** The origins whose pages may read answers; none but the service's own by default. */
  allowedOrigins?: readonly string[]
  /** The longest silence of a stream, in milliseconds; 15,000 by default. */
  heartbeat?: number
  /** How often the last uses of API keys are saved, in milliseconds; a minute by default. */
  keyUsePause?: number
  /** How often expired valuations of visitors are deleted, in milliseconds; an hour by default. */
  visitorSweepPause?: number
  /** Measures what happens. Default: nothing is measured. */
  meter?: Meter
  /** Whether lines of requests have the address of the client; by default they do not. */
  loggedAddresses?: LoggedAddresses
  /** Traces requests; by default none is traced. */
  tracing?: { tracer: Tracer; continues_traces: boolean } | undefined
  log: FastifyBaseLogger
  /** Closes what is begun here, in the order of the whole node. */
  shutdown: Pick<Shutdown, 'add'>
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
  const { database, meter = noMeter, engine = createEngineThreads(), shutdown } = parts
  let draining = false
  const isDraining = () => draining
  let stopping = false
  const isStopping = () => stopping
  const document = openApiDocument()
  const schema_hash = `sha256:${createHash('sha256').update(sortedJson(document)).digest('hex')}`
  const tokens: TokenVerifier = createTokenVerifier(parts.issuers, { log: parts.log, now: parts.now })
  const knownMembers = createKnownMembers()
  const pipeline: Pipeline = {
    readers: database.readers,
    publicReads: database.publicReads,
    writers: database.writers,
    secret: createSecretKey(parts.secret),
    now: parts.now,
    singleFlight: createSingleFlight(),
    knownMembers,
    visibilityChecks: visibilityChecks,
    jobs: parts.jobs,
    log: parts.log,
  }
  const keyUse = createKeyUse({
    writers: database.writers,
    now: parts.now,
    ...(parts.keyUsePause !== undefined && { pauseMilliseconds: parts.keyUsePause }),
  })
  const visitorSweeper = createVisitorSweeper({
    writers: database.writers,
    log: parts.log,
    ...(parts.visitorSweepPause !== undefined && { pauseMilliseconds: parts.visitorSweepPause }),
  })
  const sweeper = createBlobSweeper({
    ...database,
    blobs: parts.blobs,
    now: parts.now,
    log: parts.log,
    ...(parts.sweepPause !== undefined && { pauseMilliseconds: parts.sweepPause }),
  })
  const credentials = { verifyToken: tokens.verify, reader: database.readers.unscoped, noteUse: keyUse.note }
  const runnable = (implementation: Implementation) => ({
    implementation,
    validate: createValidator(implementation.operation),
    serialize: createSerializer(implementation.operation),
  })
  measureEngine(meter, engine)
  measureJobLag({ meter, read: () => database.counters.run(waitingJobs, []) })
  const routes = createHandlers({
    heartbeat: 15_000,
    ...parts,
    meter,
    engine,
    schema_hash,
    isDraining,
    isStopping,
  }).map(runnable)
  const limiter = limiterOf(parts, knownMembers)
  const running = createRunning()
  const isProxy = (address: string) => isWithin(parts.trustedProxies, address)
  const server = createHttpServer({
    routes,
    authenticate: presented => authenticate(presented, credentials),
    run: (route, call) => running.track(run(pipeline, route, call)),
    chargedWorkspace: (caller, workspace_id) => chargedWorkspace(knownMembers, caller, workspace_id),
    limiter,
    bounds: createBounds(limiter && scaledSenderLimits(parts.rateLimitScale)),
    isProxy,
    baseUrl: parts.baseUrl,
    trustedProxies: parts.trustedProxies,
    allowedOrigins: parts.allowedOrigins ?? [],
    byteRoutes: createByteRoutes(parts),
    isDraining,
    log: parts.log,
    meter,
    loggedAddresses: parts.loggedAddresses ?? 'off',
    tracing: parts.tracing && {
      tracer: parts.tracing.tracer,
      followsTraceOf: peer => parts.tracing?.continues_traces === true && isProxy(peer),
    },
  })
  shutdown.add('requests', async timeIsOver => {
    stopping = true
    timeIsOver.addEventListener('abort', () => server.server.closeAllConnections(), { once: true })
    await server.close()
    await running.ended()
  })
  shutdown.add('intervals', () => visitorSweeper.close())
  shutdown.add('intervals', () => sweeper.close())
  shutdown.add('key_uses', () => keyUse.close())
  shutdown.add('engine', () => engine.close())
  addDocuments(server, document, { limiter })
  addInvitationPage(server, signInOptions(parts.signIn, { now: parts.now, log: parts.log }))
  addProtectedResource(server, {
    baseUrl: parts.baseUrl,
    signIn: { issuers: parts.issuers.map(({ issuer }) => issuer), clients: parts.signIn },
  })
  return {
    server,
    drain: () => void (draining = true),
    flushKeyUses: keyUse.flush,
    createWorkspace: call => run(pipeline, runnable(handleCreateWorkspace), call),
  }
}

/** What the metrics know of the queues. It is read with the short timeout of the counters, in no transaction of a change. */
const waitingJobs = write<object>('waiting_jobs', jobLagSql)

function limiterOf(
  { database, rateLimitScale, meter, log }: AppParts,
  knownMembers: KnownMembers,
): Limiter | undefined {
  if (rateLimitScale === 0) return undefined
  return createLimiter({
    store: createBucketStore(database.counters),
    knownMembers,
    scale: rateLimitScale,
    log,
    ...(meter && { meter }),
  })
}
