/**
 * A backup is a tar archive, compressed with gzip. Its entries, in order:
 *
 * - `backup.json`: what made it, and the migrations of the database (BackupHeader);
 * - `tables/<schema>.<table>/<number>`: the rows of each table in the text format of COPY, in chunks that end with a row;
 * - `blobs/<workspace_id>/<sha256>`: the content of Files, in ascending order, once for each Workspace that has it;
 * - `manifest.json`: every table with its columns and its size, and the size of the content (Manifest);
 * - `sha256`: the SHA-256 of all bytes of the archive before this entry, in hex.
 *
 * Version 1 has no `blobs`. Whatever a later version adds gets folders of its own and a new version of the format.
 */
export const formatName = 'workspace-business-service backup'
export const formatVersion = 2
/** The versions of the format that can be restored. */
export const restorableVersions: readonly number[] = [1, 2]

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
  /** The periods of commands, receipts and events, which have partitions. Backups of databases without them have none. */
  periods?: HistoryPeriod[]
}

/** A period by its number; `dropped` are the tables whose partition was dropped. */
export interface HistoryPeriod {
  number: number
  starts_at: string
  dropped: string[]
}

export interface TableName {
  schema: string
  name: string
}

/** The number of blobs, and of their bytes. */
export interface BlobTotals {
  count: number
  bytes: number
}

/** The last entry but one: what all the entries before it must add up to. */
export interface Manifest {
  tables: (TableName & { columns: string[]; rows: number; bytes: number; sha256: string })[]
  /** Null if the backup was made without content. Version 1 has no such member. */
  blobs?: BlobTotals | null
}

export const tableKey = ({ schema, name }: TableName): string => `${schema}.${name}`

export const chunkEntry = (table: TableName, number: number): string =>
  `tables/${tableKey(table)}/${String(number).padStart(6, '0')}`

/** The table of a chunk; null if the entry is no chunk. */
export const tableOfEntry = (entry: string): string | null =>
  /^tables\/([^/]+)\/\d+$/.exec(entry)?.[1] ?? null

/** Content, by the Workspace that has it and its SHA-256. */
export interface BlobName {
  workspace_id: string
  sha256: string
}

/** The name of content in messages and in archives. */
export const blobKey = ({ workspace_id, sha256 }: BlobName): string => `${workspace_id}/${sha256}`

export const blobEntry = (blob: BlobName): string => `blobs/${blobKey(blob)}`

/** The content of an entry; null if the entry has none. */
export function blobOfEntry(entry: string): BlobName | null {
  const [, workspace_id, sha256] = /^blobs\/([0-9a-f-]{36})\/([0-9a-f]{64})$/.exec(entry) ?? []
  return workspace_id === undefined || sha256 === undefined ? null : { workspace_id, sha256 }
}
