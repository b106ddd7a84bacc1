import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { DatabaseAddress } from '../../../src/database/connections/connection.ts'
import { fillWithCluster } from '../../harness/postgres/prepared-folder.ts'
import { openEmbeddedServer } from '../../../src/database/embedded.ts'
import { quietLog } from '../../harness/quiet-log.ts'

/** A PostgreSQL that no other test shares, for tests of a whole server: its roles, its transaction ids, its crash. */
export interface PrivateServer {
  /** Its own data folder. */
  dataDir: string
  address(database: string): DatabaseAddress
  /** Runs statements as the superuser. */
  sql<Row extends pg.QueryResultRow = pg.QueryResultRow>(text: string, database?: string): Promise<Row[]>
  /** Holds an advisory lock until it is released. */
  lock(database: string, lock: number): Promise<{ letGo(): Promise<void> }>
  close(): Promise<void>
}

export async function startPrivateServer(settings: Record<string, string> = {}): Promise<PrivateServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'wbs-private-'))
  await fillWithCluster(dataDir)
  const server = await openEmbeddedServer({ dataDir, log: quietLog, settings })
  const address = (database: string) => ({
    host: server.socketDir,
    port: server.port,
    user: server.user,
    database,
  })
  return {
    dataDir,
    address,
    async sql<Row extends pg.QueryResultRow>(text: string, database = 'postgres') {
      const client = new pg.Client(address(database))
      await client.connect()
      try {
        return (await client.query<Row>(text)).rows
      } finally {
        await client.end()
      }
    },
    async lock(database, lock) {
      const client = new pg.Client(address(database))
      await client.connect()
      await client.query(`select pg_advisory_lock(${lock})`)
      return { letGo: () => client.end() }
    },
    async close() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
