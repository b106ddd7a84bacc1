import pg from 'pg'
import { explainedReader, type ExplainedRead } from '../../../../bench/reads/explained-reader.ts'
import { connectionConfig, type DatabaseAddress } from '../../src/database/connections/connection.ts'
import type { Reader } from '../../src/database/statement.ts'

/** Explains reads on connections of a reader, one for each scope, which plans each statement once. */
export interface ExplainedReads {
  run<T>(
    scope: Record<string, string>,
    read: (reader: Reader) => Promise<T>,
  ): Promise<{ answer: T; taken: ExplainedRead[]; buffers: number }>
  /** Closes the connections, so that the next reads are planned anew. */
  close(): Promise<void>
}

/** Reads with the same scope must come one after the other. */
export function createExplainedReads(address: DatabaseAddress): ExplainedReads {
  const open = new Map<string, { client: pg.Client } & ReturnType<typeof explainedReader>>()

  async function connected(scope: Record<string, string>) {
    const key = JSON.stringify(scope)
    const known = open.get(key)
    if (known) return known
    const client = new pg.Client(connectionConfig(address, 'svc_reader', scope))
    await client.connect()
    const one = { client, ...explainedReader(client) }
    open.set(key, one)
    return one
  }

  return {
    async run(scope, read) {
      const { reader, taken: all } = await connected(scope)
      const before = all.length
      const answer = await read(reader)
      const taken = all.slice(before)
      return { answer, taken, buffers: taken.reduce((sum, one) => sum + one.buffers, 0) }
    },
    async close() {
      await Promise.all([...open.values()].map(({ client }) => client.end()))
      open.clear()
    },
  }
}
