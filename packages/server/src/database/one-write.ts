import type pg from 'pg'

/**
 * Holds back what is sent on a connection until the program waits for something, and sends it in one write then. Each
 * statement would be a write to the socket otherwise: a third of the time that a change takes in Node.
 */
export function inOneWrite({ connection: { stream } }: pg.Client): void {
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}
