/** Why an import did not run, or stopped: something about its files or its place that the person running it can mend. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
}

/** What an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
