import { latestMigrationNumber, type MigrationFile } from './migration-files.ts'

/** A migration that was applied to a database, as recorded there. */
export interface AppliedMigration {
  name: string
  sha256: string | null
  runs_with: number | null
  service_version: string | null
  definer_functions: string[] | null
}

/**
 * SQL: the applied migrations, in order. Migrations added the columns of the record too: a column that is not there yet
 * reads as null.
 */
export const appliedMigrations = `
  select m.name, note.sha256, note.runs_with, note.service_version, note.definer_functions
  from svc.migrations m
  left join svc.migration_files f using (name)
  left join jsonb_to_record(to_jsonb(f)) as
    note (sha256 text, runs_with integer, service_version text, definer_functions text[]) on true
  order by m.name`

/** The applied migrations that this version does not have: those of newer versions. */
export const newerMigrations = (
  files: ReadonlyMap<string, MigrationFile>,
  applied: readonly AppliedMigration[],
) => applied.filter(({ name }) => !files.has(name))

/** The message for a migration whose file differs from the one that was applied; null if there is none. */
export function alteredMessage(
  files: ReadonlyMap<string, MigrationFile>,
  applied: readonly AppliedMigration[],
): string | null {
  const altered = applied.find(({ name, sha256 }) => files.has(name) && files.get(name)?.sha256 !== sha256)
  if (!altered) return null
  return `The file ${altered.name}.sql of this installation is not the one that the database was made with, so files of the installation were altered: install the release again, and start that.`
}

/** The message for a database that a newer version changed so that this one cannot run on it; null if it can. */
export function tooNewMessage(
  files: ReadonlyMap<string, MigrationFile>,
  applied: readonly AppliedMigration[],
  ownVersion: string,
): string | null {
  const newer = newerMigrations(files, applied)
  const level = latestMigrationNumber(files.keys())
  const tooNew = newer.findLast(({ runs_with }) => runs_with === null || runs_with > level)
  if (tooNew) return cannotRunWith(tooNew, ownVersion)
  const missing = newer.length > 0 && applied.length - newer.length < files.size
  return missing ? cannotRunWith(newer[0] as AppliedMigration, ownVersion) : null
}

function cannotRunWith({ name, service_version }: AppliedMigration, ownVersion: string): string {
  // Between two releases, the newer one still has the same version number.
  const known = service_version !== null && service_version !== ownVersion
  const by = known ? `version ${service_version}` : 'a newer version'
  const start = known ? `version ${service_version} or a newer one` : 'that version or one after it'
  return `The database was upgraded by ${by} of the service, and this version, ${ownVersion}, cannot run with what that changed (${name}): start ${start}, or restore the backup that was made before the upgrade.`
}
