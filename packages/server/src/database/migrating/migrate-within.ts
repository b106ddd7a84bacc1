import { Kysely, PostgresAdapter, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { migratorOf } from './migrator.ts'
import type { MigrationFile } from './migration-files.ts'

/** Applies the migrations up to and including the named one, or all, to a database that has none or some of them. */
export type ApplyMigrations = (until?: string) => Promise<void>

/** Runs `work`, which may also apply migrations, in one transaction on a connection: all of it takes effect, or nothing. */
export async function migrateWithin<T>(
  client: pg.Client,
  files: ReadonlyMap<string, MigrationFile>,
  work: (apply: ApplyMigrations) => Promise<T>,
): Promise<T> {
  const database = new Kysely<unknown>({ dialect: new OneConnection({ pool: poolOf(client) }) })
  return database.transaction().execute(transaction => {
    const migrator = migratorOf(transaction, files)
    return work(async until => {
      const { error } = await (until === undefined ? migrator.migrateToLatest() : migrator.migrateTo(until))
      if (error) throw error
    })
  })
}

/** A Kysely driver on one connection, which its opener keeps. */
const poolOf = (client: pg.Client) => ({
  connect: async () => Object.assign(client, { release: () => undefined }),
  end: async () => undefined,
  options: {},
})

class OneConnection extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new LockedToTheEnd()
  }
}

/** Keeps the lock of the migrations until the connection ends: a failed transaction could not release it. */
class LockedToTheEnd extends PostgresAdapter {
  override async releaseMigrationLock(): Promise<void> {}
}
