/** The logger of the jobs. */
export interface JobLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/**
 * The reason of a failure for the log: the kind of the error, never its text, since a mail server or a database may
 * name an email address in it.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no error was given'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause === undefined ? error.name : reasonOf(error.cause)
}

/** The name of the statement that failed, if one did. */
export const failedStatement = (error: unknown): string | undefined =>
  error instanceof Error && 'statement' in error ? String(error.statement) : undefined

/** The innermost stack frames of an error, without its text. */
export function innermostFrames(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  return stack
    .split('\n')
    .filter(line => /^ {4}at /.test(line))
    .slice(0, 3)
    .map(line => line.trim())
}

const silenceMilliseconds = 60_000

/** Logs each reason at most once a minute: a poll meets the same trouble again and again. */
export function logThrottled(log: Pick<JobLog, 'warn'>, message: string): (reason: string) => void {
  const told = new Map<string, number>()
  return reason => {
    const at = performance.now()
    if (at - (told.get(reason) ?? -Infinity) < silenceMilliseconds) return
    told.set(reason, at)
    log.warn({ reason }, message)
  }
}
