import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Meter } from '@opentelemetry/api'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { App } from './app.ts'
import { createBlobStore } from './blobs/create-blob-store.ts'
import { measuredBlobs } from './blobs/measured-blobs.ts'
import { defaultUploadSettings } from './files/uploads/upload.ts'
import { createInspector } from './inspection/inspector.ts'
import { startFillingFolds } from './businesses/import/fill-folds.ts'
import { loadNaics } from './businesses/import/naics.ts'
import { loadSample } from './businesses/import/sample.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config-values.ts'
import {
  connectWriter,
  jobsWriterConfig,
  connectOwner,
  openDatabaseServer,
  openPools,
  type Database,
  type DatabaseServer,
} from './database/database.ts'
import { inDataFolder, openDataFolder } from './database/data-folder.ts'
import { lockDataFolder } from './database/data-folder-lock.ts'
import { interruptibleSteps } from './database/interruption.ts'
import { startMaintainingPartitions } from './database/partitions/maintain-partitions.ts'
import { migrate } from './database/migrating/migrate.ts'
import { checkPooler } from './database/pooler.ts'
import { selfTest } from './database/self-test.ts'
import { serviceSecret } from './database/service-secret.ts'
import type { DatabaseAddress } from './database/connections/connection.ts'
import { claimPort, urlOf } from './http/port.ts'
import { isLoopbackHost } from './http/loopback-host.ts'
import type { DevelopmentProvider } from './identity/development/provider.ts'
import { developmentNamespace } from './identity/development/sample-users.ts'
import { installJobs } from './jobs/install-jobs.ts'
import { createJobs, sendOn, type Jobs } from './jobs/jobs.ts'
import { countedMailer } from './mail/counted-mailer.ts'
import { createMailer } from './mail/create-mailer.ts'
import { writeQuickstart } from './quickstart/quickstart-file.ts'
import { installedPlugins } from './plugins/installed-plugins.ts'
import { prepareQuickstart } from './quickstart/prepare-quickstart.ts'
import { createShutdown, type Shutdown } from './shutdown.ts'
import { createTracing } from './telemetry/tracing.ts'
import { noMeter } from './telemetry/meter.ts'
import type { MetricsSettings } from './telemetry/metrics-settings.ts'

/** A running service. */
export interface RunningService {
  base_url: string
  /** Where metrics are served; null for nowhere. */
  metrics_url: string | null
  /** The path of the quickstart file; null if issuers are configured. */
  quickstart: string | null
  /** Tells proxies and clients to go to another node, and still serves everything until the drain ends or is aborted. */
  drain(atOnce: AbortSignal): Promise<void>
  /** Stops accepting requests and taking jobs, waits for running ones, and closes everything in the order of shutdown.ts. */
  close(): Promise<void>
}

/**
 * Starts the service: database, reference data, identity, HTTP. A fault of its environment is thrown as an error of one
 * clear sentence. If the signal is aborted before it listens, it stops what was started and throws the signal's reason.
 */
export function startService(
  config: Config,
  log: FastifyBaseLogger,
  signal: AbortSignal,
): Promise<RunningService> {
  return inDataFolder(config.dataDir, () => start(config, log, signal))
}

async function start(config: Config, log: FastifyBaseLogger, signal: AbortSignal): Promise<RunningService> {
  await refuseToOfferDevelopment(config)
  const port = await claimPort(config.host, config.port)
  const base_url = urlOf(config.host, port)
  openFolders(config)
  await using starting = new AsyncDisposableStack()
  const steps = interruptibleSteps(signal)
  starting.defer(() => steps.settle())
  const shutdown = starting.use(createShutdown())
  const metrics = config.metrics && (await startMetrics(config.metrics, log, shutdown))
  const meter = metrics?.meter ?? noMeter

  const tracing = config.tracing ? await createTracing(config.tracing, log) : undefined
  if (tracing) shutdown.add('tracing', () => tracing.close())
  // The modules of the app are loaded while PostgreSQL starts.
  const [{ address }, { createNode }] = await Promise.all([
    databaseFor(config, log, shutdown, signal),
    import('./node.ts'),
  ])
  const jobs = createJobs({ connection: jobsWriterConfig(address), log, meter, tracer: tracing?.tracer })
  shutdown.add('jobs_connection', () => jobs.close())
  await steps.run(() => prepareDatabase(address, jobs, config, log, signal))
  const database = openPools(address, log, {
    meter,
    replicas: config.replicas,
    pooler: config.poolerUrl,
    connections: config.databaseConnections,
  })
  shutdown.add('database', () => database.close())
  const provider =
    config.issuers.length === 0 ? await steps.run(() => developmentProvider(config, base_url, log)) : null
  const secret = await steps.run(() => serviceSecret(database.writers, config.secret))
  const blobs = measuredBlobs(
    createBlobStore(config.blobs, blobFolder(config), config.storage.reserve_bytes),
    meter,
  )
  shutdown.add('blobs', () => blobs.close())
  await steps.run(() => blobs.check())
  const inspector = createInspector({ clamd: config.clamd, log, meter })
  shutdown.add('inspector', () => inspector.close())
  const node = createNode({
    database,
    blobs,
    uploads: { ...defaultUploadSettings, ...config.uploads },
    storage: config.storage,
    plugins: installedPlugins(config.plugins),
    jobs,
    inspector,
    mailer: countedMailer(createMailer({ ...config.mail, folder: mailFolder(config), log }), meter),
    invitationPage: () => config.invitationPage ?? `${config.publicUrl ?? base_url}/invitations`,
    taskMail: config.taskMail,
    issuers: provider
      ? [
          {
            issuer: provider.issuer,
            keys: provider.keys,
            audience: config.audience,
            namespace: developmentNamespace,
          },
        ]
      : config.issuers,
    signIn: provider ? [provider.signIn] : config.signIn,
    environment: config.environment,
    secret,
    now: () => new Date(),
    baseUrl: () => config.publicUrl ?? base_url,
    rateLimitScale: config.rateLimitScale,
    trustedProxies: config.trustedProxies,
    allowedOrigins: config.allowedOrigins,
    meter,
    loggedAddresses: config.log.addresses,
    tracing,
    log,
    shutdown,
  })
  const quickstart = provider
    ? await steps.run(() => offerDevelopment(node, database, provider, config.dataDir, base_url))
    : null
  signal.throwIfAborted()
  await node.server.listen({ port, host: config.host })
  node.startJobs()

  const filling = startFillingFolds(() => connectOwner(address), log)
  shutdown.add('intervals', () => filling.stop())
  const maintaining = startMaintainingPartitions({
    connectOwner: () => connectOwner(address),
    retention: config.retention,
    log,
  })
  shutdown.add('intervals', () => maintaining.stop())

  const running = starting.move()
  return {
    base_url,
    metrics_url: metrics && metrics.url,
    quickstart,
    async drain(atOnce) {
      if (config.drainSeconds === 0) return
      node.drain()
      await sleep(config.drainSeconds * 1000, undefined, { signal: atOnce }).catch(() => undefined)
    },
    close: () => running.disposeAsync(),
  }
}

/**
 * Serves metrics from here on, so that a slow start can be seen too. Loaded on demand, so that a service without metrics does not
 * have them in memory.
 */
async function startMetrics(
  { host, port: asked }: MetricsSettings,
  log: FastifyBaseLogger,
  shutdown: Shutdown,
): Promise<{ meter: Meter; url: string }> {
  const port = await claimPort(host, asked, { host: 'SVC_METRICS_HOST', port: 'SVC_METRICS_PORT' })
  const { createMetrics } = await import('./telemetry/metrics.ts')
  const { serveMetrics } = await import('./telemetry/metrics-server.ts')
  const metrics = createMetrics(log)
  shutdown.add('metrics', () => metrics.close())
  const server = await serveMetrics({ host, port, text: metrics.text })
  shutdown.add('metrics_server', () => server.close())
  return { meter: metrics.meter, url: `${urlOf(host, port)}/metrics` }
}

/** With the development provider anybody can sign in as any of its users, so it is offered to a network only on request. */
async function refuseToOfferDevelopment({ issuers, developmentOnNetwork, host }: Config): Promise<void> {
  if (issuers.length > 0 || developmentOnNetwork || (await isLoopbackHost(host))) return
  throw new ConfigError(
    `HOST ${host} can be reached from a network, and without OIDC_ISSUERS the service lets anybody sign in as whom they like: set OIDC_ISSUERS, or SVC_DEVELOPMENT_IDENTITY=network to let them all the same.`,
  )
}

/** Creates the folders, and checks that they are writable, before anything is written. */
function openFolders(config: Config): void {
  openDataFolder(config.dataDir)
  if (!config.mail.smtp) openDataFolder(config.dataDir, mailFolder(config))
  if (!config.blobs.s3) openDataFolder(config.dataDir, blobFolder(config))
}

const blobFolder = ({ dataDir }: Config): string => join(dataDir, 'blobs')

const mailFolder = ({ dataDir }: Config): string => join(dataDir, 'mail')

/**
 * Only one service may use an embedded server, because it stops the server when it ends. The operator's PostgreSQL can
 * serve many.
 */
async function databaseFor(
  config: Config,
  log: FastifyBaseLogger,
  shutdown: Shutdown,
  signal: AbortSignal,
): Promise<DatabaseServer> {
  const { databaseUrl, dataDir } = config
  const server = await openDatabaseServer({ databaseUrl, dataDir, log, signal })
  if (databaseUrl !== null) return server
  try {
    const letGo = await lockDataFolder(server.address, dataDir, signal)
    shutdown.add('data_folder_lock', letGo)
    shutdown.add('database_server', () => server.stop())
    return server
  } catch (error) {
    await server.release()
    throw error
  }
}

async function prepareDatabase(
  address: DatabaseAddress,
  jobs: Jobs,
  config: Config,
  log: FastifyBaseLogger,
  signal: AbortSignal,
): Promise<void> {
  const { newerDefinerFunctions } = await migrate(address)
  await installJobs(() => connectOwner(address))
  await selfTest(address, newerDefinerFunctions)
  if (config.poolerUrl !== null) await checkPooler({ connectionString: config.poolerUrl })
  const client = await connectWriter(address)
  try {
    await loadNaics(client)
  } finally {
    await client.end()
  }
  if (config.loadSample) await loadSample(() => connectWriter(address), sendOn(jobs), log, signal)
}

/** Loaded on demand: a service with configured issuers does not have it in memory. */
async function developmentProvider(
  config: Config,
  base_url: string,
  log: FastifyBaseLogger,
): Promise<DevelopmentProvider> {
  const { createDevelopmentProvider } = await import('./identity/development/provider.ts')
  return createDevelopmentProvider({
    issuer: `${base_url}/identity`,
    audience: config.audience,
    allowedOrigins: config.allowedOrigins,
    keyFile: join(config.dataDir, 'identity-keys.json'),
    log,
  })
}

async function offerDevelopment(
  app: App,
  database: Database,
  provider: DevelopmentProvider,
  dataDir: string,
  base_url: string,
): Promise<string> {
  mountIdentity(app.server, provider)
  return writeQuickstart(dataDir, await prepareQuickstart({ app, database, provider, dataDir, base_url }))
}

/** The provider handles all requests below /identity and reads their bodies itself. */
function mountIdentity(server: FastifyInstance, provider: DevelopmentProvider): void {
  void server.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const path of ['/identity/*', '/.well-known/oauth-authorization-server/identity'])
      scope.all(path, (request, reply) => {
        reply.hijack()
        provider.handle(request.raw, reply.raw)
      })
  })
}
