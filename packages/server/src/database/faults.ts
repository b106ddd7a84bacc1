import pg from 'pg'

/**
 * The connection broke during COMMIT, or the wait for the synchronous standby was cut short. Whether the change took
 * effect, and stays, has to be looked up.
 */
export class CommitUnknown extends Error {}

/** The connection is to a server that is not, or no longer, the one that may write. */
export class NotWritable extends Error {}

/** No writing connection was free before the timeout. */
export class WritersBusy extends Error {}

/** No connection of the class was free before the timeout. */
export class ReadersBusy extends Error {}

/** The database did not answer before the timeout. */
export class DatabaseTimeout extends Error {}

/** The code of an error: an SQLSTATE, or the system's code of a socket error. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** A deadlock or a serialization failure: the transaction may succeed when it is run again. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error))

/** An earlier statement should have prepared this one and failed itself. */
export const isNotPrepared = (error: unknown): boolean => codeOf(error) === '26000'

/** The limit of storage that a change would have exceeded, by its name. */
export const storageLimitOf = (error: unknown): StorageLimitName | null =>
  codeOf(error) === 'SV002' ? ((error as Error).message as StorageLimitName) : null

/** The limit of a Workspace, or of a guest in it. */
export type StorageLimitName = 'workspace' | 'guest'

/** A wait for a lock exceeded lock_timeout. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'

/** A statement exceeded statement_timeout, or an operator canceled it. */
export const isCanceled = (error: unknown): boolean => codeOf(error) === '57014'

/** A statement that writes met a server that only reads: a standby, or a leader that was replaced. */
export const isReadOnlyServer = (error: unknown): boolean => codeOf(error) === '25006'

/** A change found another revision than it had read: somebody changed the row without its lock. */
export const isRevisionMissed = (error: unknown): boolean => codeOf(error) === 'SV001'

/** An earlier statement of the transaction failed, and its error is the one that says why. */
export const isAbortedTransaction = (error: unknown): boolean => codeOf(error) === '25P02'

/**
 * The machine of the database lacks something, such as room on its disk, or its disk reports an error. PostgreSQL undoes the
 * statement, and its session goes on.
 */
export const isMachineFault = (error: unknown): boolean => /^(53(?!300)|58)/.test(codeOf(error))

/** PostgreSQL sent the error; otherwise the service noticed by itself that no answer comes. A pooler uses class 08. */
export const isFromServer = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !/^(08|40003)/.test(codeOf(error))

/** The connection had been lost before, so that PostgreSQL never received what was to be sent. */
export const isNeverSent = (error: unknown): boolean =>
  error instanceof Error && /not queryable|Client was closed/.test(error.message)

// Connection exceptions, too many connections, shutdown and start-up, an idle session ended; then the system's codes.
const lossCode =
  /^(08|40003|53300|57P0|25P03|25P04|ECONN|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/
const lossMessage =
  /Connection terminated|not queryable|Client was closed|Query read timeout|timeout exceeded when trying to connect|timeout expired|calling end on the pool/

/** The database is unreachable, starting, stopping, without a free connection, or did not answer. The request itself may be fine. */
export const isConnectionLoss = (error: unknown): boolean =>
  error instanceof DatabaseTimeout ||
  error instanceof NotWritable ||
  lossCode.test(codeOf(error)) ||
  (error instanceof Error && lossMessage.test(error.message))
