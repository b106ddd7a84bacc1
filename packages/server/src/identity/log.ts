/** The logger of this folder: fields first, then one sentence (the order of pino and Fastify). */
export interface IdentityLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The part of an error that may be logged: its message. Its other fields can contain a token. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'not an error'
}
