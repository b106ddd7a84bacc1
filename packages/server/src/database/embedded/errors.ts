/** Why the embedded server is not available. Each needs a different action of the operator. */
export type EmbeddedFailure =
  | 'no_binaries' // none for this platform, or they do not run on it
  | 'no_account' // started as root, and no unprivileged user to run PostgreSQL as
  | 'foreign_cluster' // the cluster belongs to another user, or the folder is no cluster
  | 'other_version' // the cluster was created by another major version of PostgreSQL
  | 'start_failed' // PostgreSQL refused to start; the message contains the end of its log
  | 'stop_failed'

/** The embedded server could not be started or stopped. The message is for the operator. */
export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError'
  readonly code: EmbeddedFailure

  constructor(code: EmbeddedFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The `code` of an error of the system (`ENOENT`) or of a library; undefined if it has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** The standard error of a failed program, or else the message of `error`. */
export function errorOutput(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
  return said || (error instanceof Error ? error.message : String(error))
}
