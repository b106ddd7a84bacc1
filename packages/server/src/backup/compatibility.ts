import type pg from 'pg'
import type { MigrationFile } from '../database/migrating/migration-files.ts'
import { jobsVersion } from '../jobs/install-jobs.ts'
import { tableKey } from './archive-format.ts'
import { BackupError } from './backup-error.ts'
import type { CheckedBackup } from './read-archive.ts'
import { tablesOf } from './tables.ts'

/** Throws BackupError if this version of the service cannot restore the backup. */
export function requireRestorable(
  { file, header }: CheckedBackup,
  migrations: ReadonlyMap<string, MigrationFile>,
): void {
  const otherVersion = (why: string) =>
    new BackupError(
      `${file} was made by version ${header.service_version} of the service, and this version cannot restore it: ${why}. Restore it with that version.`,
    )
  for (const { name, sha256 } of header.migrations) {
    const known = migrations.get(name)
    if (!known) throw otherVersion(`its database has the migration ${name}, unknown to this one`)
    if (known.sha256 !== sha256) throw otherVersion(`its migration ${name} was another one`)
  }
  if (header.jobs_version > jobsVersion) throw otherVersion('the tables of its jobs are newer')
}

/**
 * Throws BackupError if the tables are not those of the backup. The tables of the jobs may have more columns, and there
 * may be more of them.
 */
export async function requireSameTables(client: pg.ClientBase, backup: CheckedBackup): Promise<void> {
  const there = new Map((await tablesOf(client)).map(table => [tableKey(table), table]))
  const inBackup = new Map(backup.manifest.tables.map(table => [tableKey(table), table]))
  for (const [key, table] of inBackup) {
    const columns = there.get(key)?.columns ?? []
    if (!table.columns.every(column => columns.includes(column))) throw different(backup, key)
  }
  for (const [key, table] of there)
    if (table.schema === 'svc' && table.columns.length !== inBackup.get(key)?.columns.length)
      throw different(backup, key)
}

const different = ({ file, header }: CheckedBackup, table: string) =>
  new BackupError(
    `${file} was made by version ${header.service_version} of the service, whose table ${table} is not the one of this version. Restore it with that version.`,
  )
