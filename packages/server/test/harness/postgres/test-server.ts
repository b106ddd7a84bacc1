import { openDatabaseServer } from '../../../src/database/database.ts'
import { openEmbeddedServer } from '../../../src/database/embedded.ts'
import { administer } from './administer.ts'
import { makeTemplate, type TestEnvironment } from './template.ts'
import { quietLog } from '../quiet-log.ts'

/** The PostgreSQL of a test run, with a migrated template database that has the reference data. */
export interface TestServer {
  environment: TestEnvironment
  close(): Promise<void>
}

/** What the server of a run does without, since nothing on it has to outlive the run. */
const throwAway = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_compression: 'off',
  max_wal_size: '256MB',
  max_connections: '400',
}

export async function prepareTestServer(options: {
  databaseUrl: string | null
  folder: string
}): Promise<TestServer> {
  const server = await openServer(options)
  const { address } = server
  const template = `wbs_template_${process.pid}`
  return {
    environment: await makeTemplate(address, template),
    async close() {
      await administer(address, async admin => {
        const { rows } = await admin.query<{ datname: string }>(
          `select datname from pg_database where datname like $1`,
          [`${template}%`],
        )
        for (const { datname } of rows) await admin.query(`drop database if exists ${datname} with (force)`)
      })
      await server.stop()
    },
  }
}

async function openServer({ databaseUrl, folder }: { databaseUrl: string | null; folder: string }) {
  if (databaseUrl !== null) return openDatabaseServer({ databaseUrl, dataDir: folder, log: quietLog })
  const server = await openEmbeddedServer({ dataDir: folder, log: quietLog, settings: throwAway })
  const address = { host: server.socketDir, port: server.port, user: server.user, database: 'postgres' }
  return { address, stop: () => server.stop() }
}
