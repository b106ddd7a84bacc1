import pg from 'pg'
import { hidesRowsSql } from '../database/hidden-rows.ts'
import type { TableName } from './archive-format.ts'

/** Tables that a backup excludes, and why nothing is lost. */
export const excludedTables: Readonly<Record<string, string>> = {
  'svc.migrations': 'the backup names the migrations, and a restore applies them',
  'svc.migration_files': 'the same',
  'svc.migration_lock': 'nodes that start together wait at it',
  'svc.history_periods': 'the backup names the periods, and a restore makes their partitions',
  'svc.content_removals': 'a restore stores every content that a version names',
  'svc.content_sweep': 'the first round in the restored database begins at the start',
  'svc.rate_limits': 'who was limited begins anew; no crash of the database keeps it either',
  'svc_jobs.version': 'the backup names it, and a restore makes the tables of this version',
  'svc_jobs.bam': 'how far changes of these tables are',
  'svc_jobs.queue_stats': 'how long the queues were',
  'svc_jobs.warning': 'what was noticed about the queues',
}

export interface Table extends TableName {
  /** Without generated columns. */
  columns: string[]
  /** Whether row-level security hides rows from svc_owner. */
  hides_rows: boolean
}

/** The tables that a backup of this database must contain, as the connection sees them. */
export async function tablesOf(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name, ${hidesRowsSql} as hides_rows,
            array(select a.attname::text from pg_attribute a
                  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                  order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('svc', 'svc_jobs') and c.relkind in ('r', 'p') and not c.relispartition
       and n.nspname || '.' || c.relname <> all ($1)
     order by n.nspname collate "C", c.relname collate "C"`,
    [Object.keys(excludedTables)],
  )
  return rows
}

export const quoted = ({ schema, name }: TableName): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`

export const quotedColumns = (columns: readonly string[]): string =>
  columns.map(column => pg.escapeIdentifier(column)).join(', ')

/** SQL: reads a whole table. It is a query, because COPY of a partitioned table would read none of its rows. */
export const copyToSql = (table: TableName, columns: readonly string[]): string =>
  `copy (select ${quotedColumns(columns)} from ${quoted(table)}) to stdout`
