/** Why the embedded server cannot be had: each asks something else of whoever runs the service. */
export type EmbeddedFailure =
  | 'no_binaries' // none for this platform, or they do not run on it
  | 'no_account' // started by root, and no unprivileged user to run PostgreSQL as
  | 'foreign_cluster' // the cluster belongs to another user, or is no cluster
  | 'other_version' // the cluster was made by another PostgreSQL major version
  | 'start_failed' // PostgreSQL refused to start; the message carries the end of its log
  | 'stop_failed'

/** The embedded server could not be started or stopped; `message` is fit to be shown as it is. */
export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError'
  readonly code: EmbeddedFailure

  constructor(code: EmbeddedFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The system's code of an error (`ENOENT`), or a library's; undefined when it has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** What a failed program wrote to its standard error, else the message of `error`. */
export function errorOutput(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
  return said || (error instanceof Error ? error.message : String(error))
}
