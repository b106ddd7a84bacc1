import { Kysely, PostgresAdapter, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { migratorOf } from './migrate.ts'
import type { MigrationFile } from './migration-files.ts'

/** Applies the migrations up to and with the named one, or all of them, to a database that has none or some of these. */
export type ApplyMigrations = (until?: string) => Promise<void>

/** Does work on a connection in one transaction, in which migrations can be applied too. All of it takes effect, or nothing. */
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

/** Gives out the one connection, which stays with whoever opened it. */
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

/** Keeps the lock of the migrations until the connection ends: after an error, there is no giving it back in a transaction. */
class LockedToTheEnd extends PostgresAdapter {
  override async releaseMigrationLock(): Promise<void> {}
}
