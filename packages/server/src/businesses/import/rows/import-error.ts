/** An error of the files or the environment of an import that the person who runs it can correct. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
}

/** The message of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
