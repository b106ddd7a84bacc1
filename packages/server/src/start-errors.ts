import { ConfigError } from './config-values.ts'
import { DataFolderError } from './database/data-folder.ts'
import { EmbeddedServerError } from './database/embedded/errors.ts'
import { UnsupportedDatabase } from './database/migrating/fitting-version.ts'
import { DatabaseUnreachable, DataFolderInUse } from './database/refusals.ts'
import { UnsafeDatabase } from './database/self-test.ts'
import { PortError } from './http/port.ts'
import { UnusableKey } from './identity/development/unusable-key.ts'

const kinds = [
  ConfigError,
  DatabaseUnreachable,
  EmbeddedServerError,
  DataFolderError,
  DataFolderInUse,
  UnsupportedDatabase,
  UnsafeDatabase,
  PortError,
  UnusableKey,
]

/** Whether an error of a start is one that the operator can fix: it is printed as a sentence, without a stack. */
export const isForOperator = (error: unknown): boolean => kinds.some(kind => error instanceof kind)
