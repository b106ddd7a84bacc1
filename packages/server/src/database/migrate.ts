import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import pg from 'pg'
import { connectionConfig, type DatabaseAddress } from './connection.ts'

const folder = new URL('./migrations/', import.meta.url)

/** The database was last used by a newer version of the service. */
export class NewerDatabase extends Error {}

/**
 * Brings a database up to this version: roles, the schema svc, then each migration file once, in the order of their
 * numbers. Any number of nodes may start at once; one does the work and the others wait for it.
 * Throws NewerDatabase where a later version of the service has been.
 */
export async function migrate(address: DatabaseAddress): Promise<void> {
  await prepareDatabase(address)
  const pool = new pg.Pool({
    ...connectionConfig(address, 'svc_owner', { statement_timeout: '0', lock_timeout: '0' }),
    max: 2,
  })
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const migrations = await readMigrations()
    await refuseNewer(database, migrations)
    const { error } = await new Migrator({
      db: database,
      provider: { getMigrations: async () => migrations },
      migrationTableSchema: 'svc',
      migrationTableName: 'migrations',
      migrationLockTableName: 'migration_lock',
    }).migrateToLatest()
    if (error) throw error
  } finally {
    await database.destroy()
  }
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  const migrations: Record<string, Migration> = {}
  for (const name of names) {
    const text = await readFile(new URL(name, folder), 'utf8')
    migrations[name.slice(0, -'.sql'.length)] = { up: async db => void (await sql.raw(text).execute(db)) }
  }
  return migrations
}

async function refuseNewer(database: Kysely<unknown>, known: Record<string, Migration>): Promise<void> {
  const exists = await sql<{
    there: boolean
  }>`select to_regclass('svc.migrations') is not null as there`.execute(database)
  if (!exists.rows[0]?.there) return
  const applied = await sql<{ name: string }>`select name from svc.migrations order by name`.execute(database)
  const newer = applied.rows.find(({ name }) => !(name in known))
  if (newer)
    throw new NewerDatabase(
      `The database was made by a newer version of the service (it has the migration ${newer.name}, unknown to this one). Start that version.`,
    )
}

/** What needs the login's own rights: the extension, the roles, the schema. Each step may have been done before, or at this moment by another node. */
async function prepareDatabase(address: DatabaseAddress): Promise<void> {
  const client = new pg.Client({ ...address, application_name: 'wbs set-up', connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`select pg_advisory_xact_lock(${lockNumber})`)
    await client.query(await readFile(new URL('./roles.sql', import.meta.url), 'utf8'))
    await client.query('commit')
  } finally {
    await client.end()
  }
}

const lockNumber = createHash('sha256').update('workspace business service set-up').digest().readInt32BE()
