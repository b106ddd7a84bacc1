/** What this folder needs of a logger: fields first, then one sentence (pino's and Fastify's order). */
export interface IdentityLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** What may be logged of a caught error: its message, and never its fields, which can hold a token. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'not an error'
}
