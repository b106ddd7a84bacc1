import pg from 'pg'
import { connectionConfig, type DatabaseAddress } from './connection.ts'
import { openEmbeddedServer } from './embedded.ts'
import { createReaderPool, type ReaderPool } from './reader.ts'
import { createWriterPool, type WriterPool } from './writer.ts'

interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

/** A PostgreSQL that can be connected to, the operator's or the service's own. */
export interface DatabaseServer {
  address: DatabaseAddress
  /** The service's own server: stops it. Someone else's: does nothing. */
  stop(): Promise<void>
  /** Stops the service's own server only if this process started it and nobody else is connected. */
  release(): Promise<void>
}

/** Finds the database: the one that DATABASE_URL names, or the embedded server in the data folder, started if need be. */
export async function openDatabaseServer(where: {
  databaseUrl: string | null
  dataDir: string
  log: Log
}): Promise<DatabaseServer> {
  if (where.databaseUrl !== null) {
    const nothing = async () => {}
    return { address: { connectionString: where.databaseUrl }, stop: nothing, release: nothing }
  }
  const server = await openEmbeddedServer({ dataDir: where.dataDir, log: where.log })
  const address = { host: server.socketDir, port: server.port, user: server.user, database: 'postgres' }
  return { address, stop: () => server.stop(), release: () => server.release() }
}

/** The pools that requests are served from. */
export interface Database {
  readers: ReaderPool
  writers: WriterPool
  close(): Promise<void>
}

/** Opens the pools on a database that has been migrated. */
export function openPools(address: DatabaseAddress, log: Log): Database {
  const onError = (error: Error) => log.warn({ reason: error.message }, 'a database connection was lost')
  const config = ({ replan }: { replan: boolean }) =>
    connectionConfig(address, 'svc_reader', {
      default_transaction_read_only: 'on',
      ...(replan && { plan_cache_mode: 'force_custom_plan' }),
    })
  const readers = createReaderPool({ config, size: 4, onError })
  const writers = createWriterPool(connectionConfig(address, 'svc_writer'), 10, onError)
  return {
    readers,
    writers,
    async close() {
      await Promise.all([readers.close(), writers.close()])
    },
  }
}

/** A connection of its own that acts as the service does when it writes, without the limits that suit requests. */
export async function connectWriter(address: DatabaseAddress): Promise<pg.Client> {
  const client = new pg.Client(
    connectionConfig(address, 'svc_writer', {
      statement_timeout: '0',
      lock_timeout: '0',
      idle_in_transaction_session_timeout: '0',
    }),
  )
  await client.connect()
  return client
}
