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

interface Connected extends ReturnType<typeof explainedReader> {
  client: pg.Client
}

/** Reads with the same scope wait for each other. */
export function createExplainedReads(address: DatabaseAddress): ExplainedReads {
  const connections = new Map<string, Promise<Connected>>()
  /** The end of the last read of each connection. */
  const turns = new Map<string, Promise<unknown>>()

  async function connect(scope: Record<string, string>): Promise<Connected> {
    const client = new pg.Client(connectionConfig(address, 'svc_reader', scope))
    await client.connect()
    return { client, ...explainedReader(client) }
  }

  return {
    run(scope, read) {
      const key = JSON.stringify(scope)
      const connection = connections.get(key) ?? connect(scope)
      connections.set(key, connection)
      const turn = Promise.resolve(turns.get(key)).then(async () => {
        const { reader, taken: all } = await connection
        const before = all.length
        const answer = await read(reader)
        const taken = all.slice(before)
        return { answer, taken, buffers: taken.reduce((sum, one) => sum + one.buffers, 0) }
      })
      turns.set(
        key,
        turn.catch(() => undefined),
      )
      return turn
    },
    async close() {
      for (const { client } of await Promise.all(connections.values())) await client.end()
      connections.clear()
      turns.clear()
    },
  }
}
