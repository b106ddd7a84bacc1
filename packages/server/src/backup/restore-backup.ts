import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { DatabaseAddress } from '../database/connections/connection.ts'
import { connectOwner } from '../database/database.ts'
import { prepareDatabase, setUpLock } from '../database/migrating/migrate.ts'
import { readMigrations, type MigrationFile } from '../database/migrating/migration-files.ts'
import { migrateWithin } from '../database/migrating/migrate-within.ts'
import { installJobs } from '../jobs/install-jobs.ts'
import { requireRestorable, requireSameTables } from './compatibility.ts'
import { requireContent } from './content/require-content.ts'
import { compareTables, loadBackup } from './load-backup.ts'
import { asOwner } from './owner-session.ts'
import type { BackupProgress } from './progress.ts'
import type { CheckedBackup } from './read-archive.ts'
import { dropForLoading } from './drop-for-loading.ts'
import { quoted } from './tables.ts'
import { requireUnusedDatabase } from './unused-database.ts'

export interface RestoreOptions {
  address: DatabaseAddress
  backup: CheckedBackup
  /** Where content goes. */
  store: BlobStore
  onProgress?: (progress: BackupProgress) => void
  signal?: AbortSignal
  /** The migrations of this version. */
  migrations?: ReadonlyMap<string, MigrationFile>
}

/**
 * Restores a backup into an unused database, and migrates it to this version. Every table is read again and compared
 * before the commit, and all content is stored: if something fails, the database is unchanged and another restore may follow.
 * Content that was stored by then is used by the other restore. Throws BackupError and StoreUnavailable.
 */
export async function restoreBackup(options: RestoreOptions): Promise<void> {
  const { address, backup } = options
  const migrations = options.migrations ?? (await readMigrations())
  requireRestorable(backup, migrations)
  await prepareDatabase(address)
  await asOwner(address, options.signal, async client => {
    await requireUnusedDatabase(client)
    if (backup.manifest.blobs?.count !== 0) await options.store.check()
    await installJobs(() => connectOwner(address))
    await migrateWithin(client, migrations, async apply => {
      // A service that starts meanwhile waits for this lock until the restore is complete.
      await client.query(`select pg_advisory_xact_lock(${setUpLock})`)
      await requireUnusedDatabase(client)
      await client.query(await readFile(new URL('./clear-schema.sql', import.meta.url), 'utf8'))
      await apply(backup.header.migrations.at(-1)?.name)
      await fill(client, options)
      await apply()
    })
  })
  // Everything is committed by now, and if one of these fails, searches are slower until it is done by hand or by autovacuum.
  await asOwner(address, undefined, divide).catch(() => undefined)
  await asOwner(address, undefined, analyze).catch(() => undefined)
}

async function fill(client: pg.Client, options: RestoreOptions): Promise<void> {
  const { backup, store, signal, onProgress = () => undefined } = options
  const { tables } = backup.manifest
  await requireSameTables(client, backup)
  await createPartitions(client, backup)
  const putBack = await dropForLoading(client)
  for (const table of tables) await client.query(`delete from ${quoted(table)}`)
  const given = await loadBackup(client, backup, { store, onProgress, signal })
  await compareTables(client, backup, given, { onProgress, signal })
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  await client.query(`set local maintenance_work_mem = '256MB'`)
  for (const statement of putBack) {
    signal?.throwIfAborted()
    onProgress({ phase: 'finishing', rows })
    await client.query(statement)
  }
  await requireContent(client, backup, store, signal)
}

/** All published Businesses were loaded into one partition. */
async function divide(client: pg.Client): Promise<void> {
  for (let made = 1; made > 0;) {
    const { rows } = await client.query<{ made: number }>('select svc.divide_published_businesses() as made')
    made = rows[0]?.made ?? 0
  }
}

/** Makes the partitions that the rows of the backup need. Those that retention had dropped there are dropped here too. */
async function createPartitions(client: pg.Client, { header }: CheckedBackup): Promise<void> {
  for (const { number, starts_at, dropped } of header.periods ?? []) {
    if (number > 1) await client.query('select svc.add_history_period($1, $2)', [number, starts_at])
    await client.query('update svc.history_periods set dropped = $2 where number = $1', [number, dropped])
  }
  // A partition is created like the one before it, so they are dropped when all are there.
  for (const { number, dropped } of header.periods ?? [])
    for (const table of dropped)
      await client.query(`drop table ${quoted({ schema: 'svc', name: `${table}_${number}` })}`)
}

/** Loaded tables have no statistics, which the plans of searches need. */
async function analyze(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('svc', 'svc_jobs') and c.relkind in ('r', 'p') and not c.relispartition`,
  )
  for (const { name } of rows) await client.query(`analyze ${name}`)
}
