import serverPackage from '../../../package.json' with { type: 'json' }
import { alteredMessage, tooNewMessage, type AppliedMigration } from './applied-migrations.ts'
import type { MigrationFile } from './migration-files.ts'

export const ownVersion = serverPackage.version

/** This version cannot run on the database. The message says why, and what to do. */
export class UnsupportedDatabase extends Error {}

/** A newer version of the service changed the database so that this version cannot run on it. */
export class NewerDatabase extends UnsupportedDatabase {}

/** Throws UnsupportedDatabase or NewerDatabase if this version cannot run with the migrations that were applied. */
export function requireFit(
  files: ReadonlyMap<string, MigrationFile>,
  applied: readonly AppliedMigration[],
): void {
  const altered = alteredMessage(files, applied)
  if (altered !== null) throw new UnsupportedDatabase(altered)
  const tooNew = tooNewMessage(files, applied, ownVersion)
  if (tooNew !== null) throw new NewerDatabase(tooNew)
}
