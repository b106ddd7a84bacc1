/**
 * A backup is a tar archive, compressed with gzip. Its entries, in order:
 *
 * - `backup.json`: what made it, and the migrations of the database (BackupHeader);
 * - `tables/<schema>.<table>/<number>`: the rows of each table in the text format of COPY, in chunks that end with a row;
 * - `manifest.json`: every table with its columns and its size (Manifest);
 * - `sha256`: the SHA-256 of all bytes of the archive before this entry, in hex.
 *
 * Whatever a later version adds, such as files, gets folders of its own beside `tables` and a new version of the format.
 */
export const formatName = 'workspace-business-service backup'
export const formatVersion = 1

export const headerEntry = 'backup.json'
export const manifestEntry = 'manifest.json'
export const digestEntry = 'sha256'

/** The first entry. It tells whether this version can restore the rest. */
export interface BackupHeader {
  format: typeof formatName
  format_version: number
  service_version: string
  made_at: string
  /** The migrations of the database, with the SHA-256 of each file. */
  migrations: { name: string; sha256: string }[]
  /** The version of the tables of the jobs. */
  jobs_version: number
}

export interface TableName {
  schema: string
  name: string
}

/** The last entry but one: what all the chunks before it must add up to. */
export interface Manifest {
  tables: (TableName & { columns: string[]; rows: number; bytes: number; sha256: string })[]
}

export const tableKey = ({ schema, name }: TableName): string => `${schema}.${name}`

export const chunkEntry = (table: TableName, number: number): string =>
  `tables/${tableKey(table)}/${String(number).padStart(6, '0')}`

/** The table of a chunk; null if the entry is no chunk. */
export const tableOfEntry = (entry: string): string | null =>
  /^tables\/([^/]+)\/\d+$/.exec(entry)?.[1] ?? null
