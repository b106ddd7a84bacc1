import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import pg from 'pg'
import serverPackage from '../../../package.json' with { type: 'json' }
import {
  readApplied,
  alteredMessage,
  tooNewMessage,
  newerMigrations,
  type AppliedMigration,
} from './applied-migrations.ts'
import { connectionConfig, openConnection, type DatabaseAddress } from '../connections/connection.ts'
import { codeOf } from '../faults.ts'
import { readMigrations, type MigrationFile } from './migration-files.ts'

const ownVersion = serverPackage.version

/** This version cannot run on the database. The message says why, and what to do. */
export class UnsupportedDatabase extends Error {}

/** A newer version of the service changed the database so that this version cannot run on it. */
export class NewerDatabase extends UnsupportedDatabase {}

/** What newer versions added to a migrated database. */
export interface Migrated {
  /** The security-definer functions that newer versions added. */
  newerDefinerFunctions: readonly string[]
}

/**
 * Brings a database up to this version: the roles, the schema svc, and each migration once, in the order of their
 * numbers. Any number of nodes may call it at once; one does the work while the others wait. Migrations of newer
 * versions are left alone if they declare that this version can run with them. Throws UnsupportedDatabase, or
 * NewerDatabase if it cannot.
 */
export async function migrate(address: DatabaseAddress, folder?: URL): Promise<Migrated> {
  await prepareDatabase(address)
  const pool = new pg.Pool({
    ...connectionConfig(address, 'svc_owner', { statement_timeout: '0', lock_timeout: '0' }),
    max: 2,
  })
  // A broken connection fails the current statement. Without a listener, the event would also end the process.
  pool.on('error', () => undefined)
  pool.on('connect', client => client.on('error', () => undefined))
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    let newer: readonly AppliedMigration[] = []
    const { error } = await migratorOf(database, await readMigrations(folder), found => {
      newer = found
    }).migrateToLatest()
    if (error) throw error
    return { newerDefinerFunctions: newer.flatMap(({ definer_functions }) => definer_functions ?? []) }
  } finally {
    await database.destroy()
  }
}

/**
 * Applies the migration files, and records them in the schema svc. Gives what newer versions added; throws
 * UnsupportedDatabase and NewerDatabase.
 */
export const migratorOf = (
  database: Kysely<unknown>,
  files: ReadonlyMap<string, MigrationFile>,
  tellNewer: (newer: readonly AppliedMigration[]) => void = () => undefined,
): Migrator =>
  new Migrator({
    db: database,
    provider: {
      // Read under the lock of the migrations, so that nobody changes it meanwhile.
      async getMigrations() {
        const applied = await readApplied(database)
        requireFit(files, applied)
        const newer = newerMigrations(files, applied)
        tellNewer(newer)
        return { ...migrationsOf(files), ...alreadyApplied(newer) }
      },
    },
    migrationTableSchema: 'svc',
    migrationTableName: 'migrations',
    migrationLockTableName: 'migration_lock',
  })

function requireFit(files: ReadonlyMap<string, MigrationFile>, applied: readonly AppliedMigration[]): void {
  const altered = alteredMessage(files, applied)
  if (altered !== null) throw new UnsupportedDatabase(altered)
  const tooNew = tooNewMessage(files, applied, ownVersion)
  if (tooNew !== null) throw new NewerDatabase(tooNew)
}

/** Each file as a migration that records, in the same transaction, what was run. */
function migrationsOf(files: ReadonlyMap<string, MigrationFile>): Record<string, Migration> {
  const migration = (file: MigrationFile): Migration => ({
    async up(database) {
      await sql
        .raw(file.text)
        .execute(database)
        .catch((error: unknown) => {
          if (error instanceof Error) error.message = `${file.name}.sql: ${error.message}`
          throw error
        })
      await noteApplied(database, file)
    },
  })
  return Object.fromEntries([...files].map(([name, file]) => [name, migration(file)]))
}

/** Migrations added the columns of the record too. Before them, those values are not recorded. */
async function noteApplied(database: Kysely<unknown>, { name, sha256, runsWith }: MigrationFile) {
  const note = JSON.stringify({ name, sha256, runs_with: runsWith, service_version: ownVersion })
  await sql`
    insert into svc.migration_files
    select * from jsonb_populate_record(null::svc.migration_files, ${note}::jsonb || jsonb_build_object(
      'definer_functions', (select coalesce(jsonb_agg(proname order by proname), '[]') from pg_proc
                            where pronamespace = 'svc'::regnamespace and prosecdef)))`.execute(database)
}

/** A placeholder for a migration of a newer version, so that Kysely knows its name. It is never run. */
const alreadyApplied = (newer: readonly { name: string }[]): Record<string, Migration> =>
  Object.fromEntries(newer.map(({ name }) => [name, { up: async () => undefined }]))

/**
 * Runs what needs the login's own rights: the extension, the roles, the schemas. Each step may have been done before,
 * or be done by another node at the same time.
 */
export async function prepareDatabase(address: DatabaseAddress): Promise<void> {
  const client = await openConnection({
    ...address,
    application_name: 'wbs set-up',
    connectionTimeoutMillis: 5000,
  })
  try {
    await client.query('begin')
    await client.query(`select pg_advisory_xact_lock(${setUpLock})`)
    await client.query(await readFile(new URL('../roles.sql', import.meta.url), 'utf8'))
    await client.query('commit')
  } catch (error) {
    throw unfit(error) ?? error
  } finally {
    await client.end()
  }
}

/** Translates the errors that roles.sql raises, and missing rights of the login. */
function unfit(error: unknown): UnsupportedDatabase | null {
  const reason = error instanceof Error ? error.message : ''
  if (codeOf(error) === 'P0001') return new UnsupportedDatabase(`The database cannot be used: ${reason}.`)
  if (codeOf(error) === '42501')
    return new UnsupportedDatabase(`The login of the database may not set it up: ${reason}.`)
  return null
}

/** The advisory lock that is held while a database is set up; others wait for it. */
export const setUpLock = createHash('sha256')
  .update('workspace business service set-up')
  .digest()
  .readInt32BE()
