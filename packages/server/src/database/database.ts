import type { Meter } from '@opentelemetry/api'
import type pg from 'pg'
import { connectionConfig, openConnection, type DatabaseAddress } from './connections/connection.ts'
import { inDataFolder, openDataFolder } from './data-folder.ts'
import { openEmbeddedServer } from './embedded.ts'
import { connectionClasses, poolOfClass } from './connections/connection-classes.ts'
import { createConnectionMetrics, type ConnectionMetrics } from './connections/connection-metrics.ts'
import { poolSizes, usualConnections, type PoolSizes } from './connections/pool-sizes.ts'
import { createReaderPool, type ReaderPool } from './connections/reader.ts'
import { createSingleWrites, type SingleWrites } from './connections/single-writes.ts'
import type { ReplicaSettings } from './database-settings.ts'
import { DatabaseUnreachable } from './refusals.ts'
import { createPublicReads, type PublicReads } from './replicas/public-reads.ts'
import { watchReplicas } from './replicas/replica-metrics.ts'
import { createReplicas, type Replicas } from './replicas/replicas.ts'
import type { ConnectionClass } from './statement.ts'
import { createWriterPool, type WriterPool } from './connections/writer.ts'
import { noMeter } from '../telemetry/meter.ts'

interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

/** A PostgreSQL to connect to: the operator's, or the embedded one. */
export interface DatabaseServer {
  address: DatabaseAddress
  /** Stops the embedded server. Does nothing to the operator's. */
  stop(): Promise<void>
  /** Stops the embedded server if this process started it and nobody else is connected. */
  release(): Promise<void>
}

/**
 * Opens the database: that of DATABASE_URL, or the embedded server in the data folder, started if needed. Aborting the
 * signal stops this and leaves nothing running. Throws DatabaseUnreachable, DataFolderError and EmbeddedServerError.
 */
export async function openDatabaseServer(where: {
  databaseUrl: string | null
  dataDir: string
  log: Log
  signal?: AbortSignal | undefined
}): Promise<DatabaseServer> {
  if (where.databaseUrl !== null) {
    const address = { connectionString: where.databaseUrl }
    await requireReachable(address)
    const nothing = async () => {}
    return { address, stop: nothing, release: nothing }
  }
  openDataFolder(where.dataDir)
  const server = await inDataFolder(where.dataDir, () =>
    openEmbeddedServer({ dataDir: where.dataDir, log: where.log, signal: where.signal }),
  )
  const address = { host: server.socketDir, port: server.port, user: server.user, database: 'postgres' }
  return { address, stop: () => server.stop(), release: () => server.release() }
}

async function requireReachable(address: DatabaseAddress): Promise<void> {
  try {
    const client = await openConnection({
      ...address,
      application_name: 'wbs start',
      connectionTimeoutMillis: 5000,
      options: '-c lock_timeout=4321ms',
    })
    const { rows } = await client.query<{ lock_timeout: string }>('show lock_timeout')
    await client.end()
    if (rows[0]?.lock_timeout !== '4321ms')
      throw new Error('a pooler in front of it drops the options of connections, with which roles are taken')
  } catch (error) {
    const reason =
      error instanceof AggregateError
        ? error.errors.map(String).join(', ')
        : error instanceof Error
          ? error.message
          : String(error)
    throw new DatabaseUnreachable(
      `The PostgreSQL that DATABASE_URL names cannot be connected to: ${reason.replaceAll(/\s+/g, ' ')}.${/pooler|startup parameter/.test(reason) ? ' Let DATABASE_URL name PostgreSQL itself, and DATABASE_POOLER_URL the pooler.' : ''}`,
    )
  }
}

/** The connection pools that serve requests. */
export interface Database {
  readers: ReaderPool
  /** For what everybody may see: from the replicas, if there are any. */
  publicReads: PublicReads
  replicas: Replicas
  writers: WriterPool
  /** For the counters of rate limits: they wait for no change, and take no connection from one. */
  counters: SingleWrites
  close(): Promise<void>
}

/** How the database is used. */
interface PoolSettings {
  /** Default: nothing is measured. */
  meter?: Meter
  /** Default: none. */
  replicas?: ReplicaSettings
  /** How many connections to the primary there are at most in all, of which the jobs have one. */
  connections?: number
  /** The URL of a pooler in transaction mode, for the connections that serve requests; null for none. */
  pooler?: string | null
}

/** Opens the pools on a migrated database, and those of its replicas. */
export function openPools(
  address: DatabaseAddress,
  log: Log,
  {
    meter = noMeter,
    replicas: { urls, most_lag } = { urls: [], most_lag: 0 },
    connections = usualConnections,
    pooler = null,
  }: PoolSettings = {},
): Database {
  const ofRequests: DatabaseAddress = pooler === null ? address : { connectionString: pooler, isPooled: true }
  const sizes = poolSizes(connections)
  const metrics = createConnectionMetrics(meter)
  const told = new WeakSet<Error>()
  const lost = (pool: string, error: Error) => {
    // A pool and its connection may both report the same loss.
    if (told.has(error)) return
    told.add(error)
    metrics.noteLoss(pool)
    log.warn({ reason: error.message }, 'a database connection was lost')
  }
  const readers = openReaders(ofRequests, sizes.readers, metrics, (error, kind) =>
    lost(poolOfClass(kind), error),
  )
  const replicas = createReplicas({
    primary: {
      ...connectionConfig(address, 'svc_writer', { synchronous_commit: 'local', statement_timeout: '1s' }),
      application_name: 'wbs replicas',
    },
    replicas: urls.map(url => replicaAt({ connectionString: url }, sizes.readers)),
    mostLag: most_lag,
    log,
  })
  const writers = createWriterPool({
    // The warning that a wait for the synchronous standby was cut short must arrive, whatever the login's own setting.
    config: {
      ...connectionConfig(ofRequests, 'svc_writer', { client_min_messages: 'warning' }),
      ...unanswered,
    },
    size: sizes.writers,
    sizePerShare: Math.ceil(sizes.writers * 0.3),
    sizePerShareWhenContended: Math.ceil(sizes.writers * 0.2),
    onError: error => lost('writers', error),
    metrics,
  })
  // Requests wait for these writes and go on without them if they fail, so they have short timeouts and need not be
  // durable.
  const counters = createSingleWrites({
    config: {
      ...connectionConfig(ofRequests, 'svc_writer', {
        synchronous_commit: 'off',
        lock_timeout: '250ms',
        statement_timeout: '500ms',
      }),
      connectionTimeoutMillis: 1000,
      query_timeout: 1000,
    },
    size: sizes.counters,
    onError: error => lost('counters', error),
    metrics,
  })
  const publicReads = createPublicReads(readers, replicas)
  watchReplicas(meter, replicas.usage, publicReads.usage)
  return {
    readers,
    publicReads,
    replicas,
    writers,
    counters,
    async close() {
      await replicas.close()
      await Promise.all([readers.close(), writers.close(), counters.close()])
    },
  }
}

// A server that stops answering must not hold requests for ever. No statement's own timeout is half as long.
const unanswered = { query_timeout: 12_000 }

function openReaders(
  address: DatabaseAddress,
  sizes: PoolSizes['readers'],
  metrics: ConnectionMetrics,
  onError: (error: Error, kind: ConnectionClass) => void,
  timeouts: pg.ClientConfig = {},
): ReaderPool {
  const classes = connectionClasses(sizes, metrics)
  const config = (kind: ConnectionClass) => ({
    ...connectionConfig(address, 'svc_reader', {
      default_transaction_read_only: 'on',
      ...classes[kind].settings,
    }),
    ...unanswered,
    ...timeouts,
    ...(kind === 'readiness' && { connectionTimeoutMillis: 1_500, query_timeout: 1_500 }),
  })
  return createReaderPool({ config, classes, onError, metrics })
}

/** Its lost connections are not logged: that it is left out is. */
const replicaAt = (address: DatabaseAddress, sizes: PoolSizes['readers']) => ({
  probe: {
    ...connectionConfig(address, 'svc_reader', {
      default_transaction_read_only: 'on',
      statement_timeout: '1s',
    }),
    application_name: 'wbs replicas',
  },
  // They are opened anew whenever it was lost, and instruments cannot be taken away again.
  openReaders: () =>
    openReaders(address, sizes, createConnectionMetrics(noMeter), () => undefined, {
      connectionTimeoutMillis: 1_500,
    }),
})

/** How pg-boss connects to run jobs: as svc_writer, with the driver's own parsing of timestamps. */
export function jobsWriterConfig(address: DatabaseAddress): pg.ClientConfig {
  const { types: _, ...config } = connectionConfig(address, 'svc_writer', { statement_timeout: '60s' })
  // A server that stops answering must not hold the only connection of the jobs. It is longer than a statement may take.
  return { ...config, application_name: 'wbs jobs', query_timeout: 65_000 }
}

/** Opens a connection in the role that owns all tables, without the timeouts of requests. */
export const connectOwner = (address: DatabaseAddress): Promise<pg.Client> =>
  openConnection(connectionConfig(address, 'svc_owner', { statement_timeout: '0', lock_timeout: '0' }))

/** Opens a connection in the role that writes, without the timeouts of requests. */
export function connectWriter(address: DatabaseAddress): Promise<pg.Client> {
  return openConnection(
    connectionConfig(address, 'svc_writer', {
      statement_timeout: '0',
      lock_timeout: '0',
      idle_in_transaction_session_timeout: '0',
    }),
  )
}
