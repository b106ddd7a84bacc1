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

/** The database is not one that this version can run on; the message says why, and what to do. */
export class UnsupportedDatabase extends Error {}

/** The database was changed by a newer version of the service in a way that this one cannot run with. */
export class NewerDatabase extends UnsupportedDatabase {}

/** What a migrated database has that this version did not bring. */
export interface Migrated {
  /** The functions with the rights of their owner that newer versions brought. */
  newerDefinerFunctions: readonly string[]
}

/**
 * Brings a database up to this version: roles, the schema svc, then each migration file once, in the order of their
 * numbers. Any number of nodes may start at once; one does the work and the others wait for it. What newer versions did
 * is let be where it says that this version can run with it.
 * Throws UnfitDatabase, and NewerDatabase where a newer version did what this one cannot run with.
 */
export async function migrate(address: DatabaseAddress, folder?: URL): Promise<Migrated> {
  await prepareDatabase(address)
  const pool = new pg.Pool({
    ...connectionConfig(address, 'svc_owner', { statement_timeout: '0', lock_timeout: '0' }),
    max: 2,
  })
  // A connection that breaks fails the statement under way; unheard, an idle one would end the process.
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
 * Applies these files, and keeps note of it in the schema svc. What newer versions applied is let be, and told of; throws
 * UnfitDatabase and NewerDatabase where this version cannot run with it.
 */
export const migratorOf = (
  database: Kysely<unknown>,
  files: ReadonlyMap<string, MigrationFile>,
  tellNewer: (newer: readonly AppliedMigration[]) => void = () => undefined,
): Migrator =>
  new Migrator({
    db: database,
    provider: {
      // Asked for under the lock of the migrations, so that nobody changes meanwhile what is read here.
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

/** Each file as a migration, which notes in the same transaction what it was that ran. */
function migrationsOf(files: ReadonlyMap<string, MigrationFile>): Record<string, Migration> {
  const migration = (file: MigrationFile): Migration => ({
    async up(database) {
      await sql.raw(file.text).execute(database)
      await noteApplied(database, file)
    },
  })
  return Object.fromEntries([...files].map(([name, file]) => [name, migration(file)]))
}

/** The table of the notes got its columns by migrations too: before those, what they are for is not noted. */
async function noteApplied(database: Kysely<unknown>, { name, sha256, runsWith }: MigrationFile) {
  const note = JSON.stringify({ name, sha256, runs_with: runsWith, service_version: ownVersion })
  await sql`
    insert into svc.migration_files
    select * from jsonb_populate_record(null::svc.migration_files, ${note}::jsonb || jsonb_build_object(
      'definer_functions', (select coalesce(jsonb_agg(proname order by proname), '[]') from pg_proc
                            where pronamespace = 'svc'::regnamespace and prosecdef)))`.execute(database)
}

/** What a newer version applied, so that its name is known; it is never run. */
const alreadyApplied = (newer: readonly { name: string }[]): Record<string, Migration> =>
  Object.fromEntries(newer.map(({ name }) => [name, { up: async () => undefined }]))

/** What needs the login's own rights: the extension, the roles, the schema. Each step may have been done before, or at this moment by another node. */
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

/** What roles.sql raises itself, and what the login may not do. */
function unfit(error: unknown): UnsupportedDatabase | null {
  const reason = error instanceof Error ? error.message : ''
  if (codeOf(error) === 'P0001') return new UnsupportedDatabase(`The database cannot be used: ${reason}.`)
  if (codeOf(error) === '42501')
    return new UnsupportedDatabase(`The login of the database may not set it up: ${reason}.`)
  return null
}

/** Whoever sets a database up holds this lock, and others wait for it. */
export const setUpLock = createHash('sha256')
  .update('workspace business service set-up')
  .digest()
  .readInt32BE()
