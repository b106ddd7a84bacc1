import { BackupError } from '@wbs/server/backup/backup-error'
import { StoreUnavailable } from '@wbs/server/blobs/blob-errors'
import { ImportError } from '@wbs/server/businesses/import/rows/import-error'
import { ConfigError } from '@wbs/server/config-values'
import { DataFolderError } from '@wbs/server/database/data-folder'
import { EmbeddedServerError } from '@wbs/server/database/embedded/errors'
import { UnsupportedDatabase } from '@wbs/server/database/migrating/fitting-version'
import { DatabaseUnreachable, DataFolderInUse } from '@wbs/server/database/refusals'
import { CommandError } from './command-error.ts'

/** Errors that the operator can fix: printed as a sentence, without a stack. */
const plain = [
  ImportError,
  BackupError,
  StoreUnavailable,
  ConfigError,
  DatabaseUnreachable,
  EmbeddedServerError,
  DataFolderInUse,
  DataFolderError,
  UnsupportedDatabase,
  CommandError,
]

/** The text to print for an error. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return plain.some(kind => error instanceof kind) ? error.message : (error.stack ?? error.message)
}
