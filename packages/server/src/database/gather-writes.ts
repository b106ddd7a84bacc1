import type pg from 'pg'
import type { Duplex } from 'node:stream'

const gathering = new WeakSet<Duplex>()

/**
 * Sends what this turn of the event loop writes to a connection in one write, as the turn ends. One write for each
 * statement would cost more than all the rest that this process does for it.
 */
export function gatherWrites({ connection: { stream } }: pg.Client): void {
  if (gathering.has(stream)) return
  gathering.add(stream)
  stream.cork()
  setImmediate(() => {
    gathering.delete(stream)
    stream.uncork()
  })
}
