import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import pg from 'pg'
import { connectionConfig, type DatabaseAddress } from './connection.ts'
import { codeOf } from './faults.ts'

const shipped = new URL('./migrations/', import.meta.url)

/** The database is not one that this version can run on; the message says why in one sentence. */
export class UnfitDatabase extends Error {}

/** The database was last used by a newer version of the service. */
export class NewerDatabase extends UnfitDatabase {}

/**
 * Brings a database up to this version: roles, the schema svc, then each migration file once, in the order of their
 * numbers. Any number of nodes may start at once; one does the work and the others wait for it.
 * Throws UnfitDatabase, and NewerDatabase where a later version of the service has been.
 */
export async function migrate(address: DatabaseAddress, folder: URL = shipped): Promise<void> {
  await prepareDatabase(address)
  const pool = new pg.Pool({
    ...connectionConfig(address, 'svc_owner', { statement_timeout: '0', lock_timeout: '0' }),
    max: 2,
  })
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const files = await readMigrations(folder)
    await compareApplied(database, files)
    const { error } = await new Migrator({
      db: database,
      provider: { getMigrations: async () => migrationsOf(files) },
      migrationTableSchema: 'svc',
      migrationTableName: 'migrations',
      migrationLockTableName: 'migration_lock',
    }).migrateToLatest()
    if (error) throw error
  } finally {
    await database.destroy()
  }
}

interface MigrationFile {
  text: string
  sha256: string
}

async function readMigrations(folder: URL): Promise<Map<string, MigrationFile>> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  const files = new Map<string, MigrationFile>()
  for (const name of names) {
    const text = await readFile(new URL(name, folder), 'utf8')
    const sha256 = createHash('sha256').update(text).digest('hex')
    files.set(name.slice(0, -'.sql'.length), { text, sha256 })
  }
  return files
}

/** Each file as a migration, which notes in the same transaction what it was that ran. */
function migrationsOf(files: Map<string, MigrationFile>): Record<string, Migration> {
  const migration = (name: string, { text, sha256 }: MigrationFile): Migration => ({
    async up(database) {
      await sql.raw(text).execute(database)
      await sql`insert into svc.migration_files (name, sha256) values (${name}, ${sha256})`.execute(database)
    },
  })
  return Object.fromEntries([...files].map(([name, file]) => [name, migration(name, file)]))
}

/** Refuses a database with migrations that this version does not have, or has in other words. */
async function compareApplied(database: Kysely<unknown>, files: Map<string, MigrationFile>): Promise<void> {
  const tables = await sql<{
    there: boolean
  }>`select to_regclass('svc.migrations') is not null as there`.execute(database)
  if (!tables.rows[0]?.there) return
  const applied = await sql<{
    name: string
    sha256: string | null
  }>`select name, sha256 from svc.migrations left join svc.migration_files using (name) order by name`.execute(
    database,
  )
  for (const { name, sha256 } of applied.rows) {
    const file = files.get(name)
    if (!file)
      throw new NewerDatabase(
        `The database was made by a newer version of the service (it has the migration ${name}, unknown to this one). Start that version.`,
      )
    if (file.sha256 !== sha256)
      throw new UnfitDatabase(
        `The migration ${name} reads otherwise than when this database was made with it; a change belongs into a migration of its own.`,
      )
  }
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
  } catch (error) {
    throw unfit(error) ?? error
  } finally {
    await client.end()
  }
}

/** What roles.sql raises itself, and what the login may not do. */
function unfit(error: unknown): UnfitDatabase | null {
  const reason = error instanceof Error ? error.message : ''
  if (codeOf(error) === 'P0001') return new UnfitDatabase(`The database cannot be used: ${reason}.`)
  if (codeOf(error) === '42501')
    return new UnfitDatabase(`The login of the database may not set it up: ${reason}.`)
  return null
}

const lockNumber = createHash('sha256').update('workspace business service set-up').digest().readInt32BE()
