/**
 * A backup is a tar archive, compressed by gzip. In their order, it holds:
 *
 * - `backup.json`: what made it, and which migrations the database had (Head);
 * - `tables/<schema>.<table>/<number>`: the rows of each table, as COPY writes them in its text format, in pieces that
 *   end with a row;
 * - `manifest.json`: every table with its columns and how much of it there is (Manifest);
 * - `sha256`: the SHA-256 of all bytes of the archive before this entry, in hex.
 *
 * What else a later version keeps, such as files, goes into folders of its own beside `tables`, under a new version of the
 * format.
 */
export const formatName = 'workspace-business-service backup'
export const formatVersion = 1

export const headerEntry = 'backup.json'
export const manifestEntry = 'manifest.json'
export const digestEntry = 'sha256'

/** The first entry: enough to say whether this version can restore what follows. */
export interface BackupHeader {
  format: typeof formatName
  format_version: number
  service_version: string
  made_at: string
  /** Those the database had, with the SHA-256 of the file of each. */
  migrations: { name: string; sha256: string }[]
  /** The version of the tables of the jobs. */
  jobs_version: number
}

export interface TableName {
  schema: string
  name: string
}

/** The last entry but one: what must have been read by then. */
export interface Manifest {
  tables: (TableName & { columns: string[]; rows: number; bytes: number; sha256: string })[]
}

export const tableKey = ({ schema, name }: TableName): string => `${schema}.${name}`

export const chunkEntry = (table: TableName, number: number): string =>
  `tables/${tableKey(table)}/${String(number).padStart(6, '0')}`

/** The table that a piece is of; null for what is no piece. */
export const tableOfEntry = (entry: string): string | null =>
  /^tables\/([^/]+)\/\d+$/.exec(entry)?.[1] ?? null
