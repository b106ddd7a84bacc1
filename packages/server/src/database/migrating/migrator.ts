import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import pg from 'pg'
import type { ConnectionConfig } from '../connections/connection.ts'
import { appliedMigrations, newerMigrations, type AppliedMigration } from './applied-migrations.ts'
import { ownVersion, requireFit } from './fitting-version.ts'
import type { MigrationFile } from './migration-files.ts'

/** Applies each migration that is missing, once, while other nodes wait. Gives what newer versions applied. */
export async function applyMissing(
  config: ConnectionConfig,
  files: ReadonlyMap<string, MigrationFile>,
): Promise<readonly AppliedMigration[]> {
  const pool = new pg.Pool({ ...config, max: 2 })
  // A broken connection fails the current statement. Without a listener, the event would also end the process.
  pool.on('error', () => undefined)
  pool.on('connect', client => client.on('error', () => undefined))
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    let newer: readonly AppliedMigration[] = []
    const { error } = await migratorOf(database, files, found => {
      newer = found
    }).migrateToLatest()
    if (error) throw error
    return newer
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
        const { rows: applied } = await sql.raw<AppliedMigration>(appliedMigrations).execute(database)
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
