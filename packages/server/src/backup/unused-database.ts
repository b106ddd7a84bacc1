import type pg from 'pg'
import { hidesRowsSql } from '../database/hidden-rows.ts'
import { BackupError } from './backup-error.ts'

/** The tables that set-up itself fills. A database with rows in no others has never been used. */
const madeBySetUp = [
  'migrations',
  'migration_files',
  'migration_lock',
  'naics_codes',
  'reference_data',
  'service_secrets',
  'content_sweep',
  'rate_limits',
  'replication_beat',
  'history_periods',
]

/** Throws BackupError if the database contains data, or a service or import is connected. */
export async function requireUnusedDatabase(client: pg.ClientBase): Promise<void> {
  const used = await usedTables(client)
  if (used.length > 0)
    throw new BackupError(
      `The database is in use: ${used.length === 1 ? `the table ${used[0]} has rows` : `${used.length} tables have rows, ${used[0]} among them`}. Restore into a database that nobody has used; nothing was changed.`,
    )
  // The application names of database/connections/connection.ts and database/database.ts.
  const { rowCount } = await client.query(
    `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       and application_name in ('wbs svc_writer', 'wbs svc_reader', 'wbs jobs')`,
  )
  if (rowCount !== 0)
    throw new BackupError('A service or an import is using the database. Stop it first; nothing was changed.')
}

async function usedTables(client: pg.ClientBase): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string; is_used: string }>(
    `select c.relname as name,
            format(case when ${hidesRowsSql} then 'pg_relation_size(%L) > 0' else 'exists (select from %s)' end,
                   format('svc.%I', c.relname)) as is_used
     from pg_class c
     where c.relnamespace = to_regnamespace('svc') and c.relkind in ('r', 'p') and c.relname <> all ($1)
     order by 1`,
    [madeBySetUp],
  )
  const used: string[] = []
  for (const { name, is_used } of tables) {
    const { rows } = await client.query<{ is_used: boolean }>(`select ${is_used} as is_used`)
    if (rows[0]?.is_used) used.push(name)
  }
  return used
}
