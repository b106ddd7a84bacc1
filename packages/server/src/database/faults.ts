/** The connection broke while COMMIT was under way: whether it took effect has to be looked up. */
export class CommitUnknown extends Error {}

/** Every connection that writes stayed taken for longer than a request may wait for one. */
export class WritersBusy extends Error {}

/** The connections for a kind of reads stayed taken for longer than a request may wait for its turn. */
export class ReadersBusy extends Error {}

/** As many of one Workspace, or of one caller, wait for their turn already as may. */
export class TooManyWaiting extends Error {}

/** The database did not answer in the time that a question has. */
export class DatabaseTimeout extends Error {}

/** The code of an error: an SQLSTATE of PostgreSQL's, or what the system says of a socket. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** A deadlock or a serialization failure: the whole transaction may well pass when it is run again. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error))

/** One sent before it was to prepare it, and was refused itself. */
export const isNotPrepared = (error: unknown): boolean => codeOf(error) === '26000'

/** Waiting for a lock took longer than lock_timeout. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'

/** Taking longer than statement_timeout, or being canceled by an operator. */
export const isCanceled = (error: unknown): boolean => codeOf(error) === '57014'

/** An earlier statement of the transaction failed: only that one's error says why. */
export const isAbortedTransaction = (error: unknown): boolean => codeOf(error) === '25P02'

// Connection exceptions, insufficient resources, shutdown and start-up, a session ended for idling; then the system's.
const lossCode =
  /^(08|53|57P0|25P03|25P04|ECONN|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/
const lossMessage =
  /Connection terminated|not queryable|Client was closed|Query read timeout|timeout exceeded when trying to connect|timeout expired|calling end on the pool/

/** The database went away, is starting or stopping, is out of room, or never answered: nothing is known to be wrong with the request. */
export const isConnectionLoss = (error: unknown): boolean =>
  error instanceof DatabaseTimeout ||
  lossCode.test(codeOf(error)) ||
  (error instanceof Error && lossMessage.test(error.message))
