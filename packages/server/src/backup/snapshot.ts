import type pg from 'pg'
import serverPackage from '../../package.json' with { type: 'json' }
import { installedVersion } from '../jobs/install-jobs.ts'
import {
  formatName,
  formatVersion,
  tableKey,
  type BackupHeader,
  type HistoryPeriod,
} from './archive-format.ts'
import { BackupError } from './backup-error.ts'
import { quoted, tablesOf, type Table } from './tables.ts'

/** A database as it was at one moment, whatever is written meanwhile. */
export interface Snapshot {
  client: pg.Client
  tables: Table[]
  header: BackupHeader
}

const attempts = 5

/** Begins a transaction that sees all tables of the service at this moment. Throws BackupError. */
export async function openSnapshot(client: pg.Client): Promise<Snapshot> {
  const tables = await lockTables(client)
  const hidden = tables.filter(table => table.hides_rows)
  if (hidden.length > 0)
    throw new BackupError(
      `Row-level security would keep rows of ${hidden.map(tableKey).join(', ')} out of the backup. Start this version of the service once, which brings the database up to date.`,
    )
  return { client, tables, header: await headOf(client) }
}

/**
 * Locks the tables against changes of their structure before reading them, so that a running migration is in the backup
 * completely or not at all.
 */
async function lockTables(client: pg.Client): Promise<Table[]> {
  for (let tries = 0; tries < attempts; tries++) {
    const expected = await tablesOf(client)
    if (!expected.some(({ schema }) => schema === 'svc'))
      throw new BackupError('The database has no data of the service: it has no tables.')
    await client.query('begin isolation level repeatable read read only')
    await client.query(`lock table ${expected.map(quoted).join(', ')} in access share mode`)
    const tables = await tablesOf(client)
    if (JSON.stringify(tables) === JSON.stringify(expected)) return tables
    await client.query('rollback')
  }
  throw new BackupError('The tables of the database are being changed. Try again when that is done.')
}

async function headOf(client: pg.Client): Promise<BackupHeader> {
  const migrations = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from svc.migrations join svc.migration_files using (name) order by name collate "C"',
  )
  const { rows } = await client.query<{ made_at: string }>('select now() as made_at')
  return {
    format: formatName,
    format_version: formatVersion,
    service_version: serverPackage.version,
    made_at: rows[0]?.made_at ?? '',
    migrations: migrations.rows,
    jobs_version: await installedVersion(client),
    ...(await periodsOf(client)),
  }
}

/** Databases from before partitions have no periods. */
async function periodsOf(client: pg.Client): Promise<Pick<BackupHeader, 'periods'>> {
  const table = await client.query<{ exists: boolean }>(
    `select to_regclass('svc.history_periods') is not null as exists`,
  )
  if (!table.rows[0]?.exists) return {}
  // As text, because the first period begins at -infinity.
  const { rows } = await client.query<HistoryPeriod>(
    'select number, starts_at::text as starts_at, dropped from svc.history_periods order by number',
  )
  return { periods: rows }
}
