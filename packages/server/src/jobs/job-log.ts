/** Where the jobs say how they fare. */
export interface JobLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/**
 * Why something failed, in a form that is fit for the log: the kind of error, never its text, since a mail server's or a
 * database's may name an address.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no error was given'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** Where in the code it failed: the innermost calls, without the error's text. */
export function innermostFrames(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  return stack
    .split('\n')
    .filter(line => /^ {4}at /.test(line))
    .slice(0, 3)
    .map(line => line.trim())
}

const silenceMilliseconds = 60_000

/** Tells of each kind of trouble once a minute, however often it is met: what polls meets it all the time. */
export function logThrottled(log: JobLog, message: string): (reason: string) => void {
  const told = new Map<string, number>()
  return reason => {
    const at = performance.now()
    if (at - (told.get(reason) ?? -Infinity) < silenceMilliseconds) return
    told.set(reason, at)
    log.warn({ reason }, message)
  }
}
