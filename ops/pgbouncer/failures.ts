import { randomUUID } from 'node:crypto'
import { createReaderPool } from '../../packages/server/src/database/connections/reader.ts'
import { connectionClasses } from '../../packages/server/src/database/connections/connection-classes.ts'
import { connectionConfig } from '../../packages/server/src/database/connections/connection.ts'
import { poolSizes, usualConnections } from '../../packages/server/src/database/connections/pool-sizes.ts'
import { createWriterPool } from '../../packages/server/src/database/connections/writer.ts'
import { read, write } from '../../packages/server/src/database/statement.ts'

const whoReads = read<{ current_user: string }>('ops_who_reads', 'select current_user')
const whoWrites = write<{ current_user: string }>('ops_who_writes', 'select current_user')
const fails = write('ops_fails', 'select 1 / 0')
const readFails = read('ops_read_fails', 'select 1 / :divisor::int')
const afterwards = write<{ one: number }>('ops_afterwards', 'select 1 as one')

/**
 * Fails statements through a pooler and goes on over the same connections: statements that PostgreSQL skipped are there when
 * they are needed again, and every transaction has its role. Gives what was not so, as sentences.
 */
export async function failThrough(connectionString: string): Promise<string[]> {
  const address = { connectionString, isPooled: true } as const
  const faults: string[] = []
  const onError = (error: Error) => void faults.push(`a connection was lost: ${error.message}`)
  const nobody = { workspace_id: randomUUID(), user_id: randomUUID() }
  const writers = createWriterPool({ config: connectionConfig(address, 'svc_writer'), size: 1, onError })
  const readers = createReaderPool({
    config: () => connectionConfig(address, 'svc_reader', { default_transaction_read_only: 'on' }),
    classes: connectionClasses(poolSizes(usualConnections).readers),
    onError,
  })
  try {
    for (let round = 0; round < 20; round++) {
      await writers
        .transaction(nobody, async tx => {
          tx.save(fails, {})
          tx.save(afterwards, {})
        })
        .then(
          () => faults.push('a change that fails was committed'),
          () => undefined,
        )
      const wrote = await writers.transaction(nobody, async tx => {
        tx.save(afterwards, {})
        return tx.one(whoReads, {})
      })
      const written = await writers.transaction(nobody, async tx => (await tx.run(whoWrites, {}))[0])
      await readers
        .scoped(nobody)
        .one(readFails, { divisor: 0 })
        .catch(() => undefined)
      const reads = await Promise.all(
        Array.from({ length: 16 }, () => readers.scoped(nobody).one(whoReads, {})),
      )
      for (const report of [wrote, written])
        if (report?.current_user !== 'svc_writer') faults.push(`a change ran as ${report?.current_user}`)
      for (const read of reads)
        if (read?.current_user !== 'svc_reader') faults.push(`a read ran as ${read?.current_user}`)
    }
  } finally {
    await Promise.all([writers.close(), readers.close()])
  }
  return faults
}
