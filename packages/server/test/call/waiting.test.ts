import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { read } from '../../src/database/statement.ts'
import type { Transaction, WriterPool } from '../../src/database/connections/writer.ts'
import { outsideTransactions, watchedWriters } from '../harness/transactions/watched-transactions.ts'

/** A PostgreSQL that answers after so many milliseconds. */
function writersOf(milliseconds: number): WriterPool {
  const tx = { one: () => pause(milliseconds) } as unknown as Transaction
  return watchedWriters({ transaction: (_scope, work) => work(tx), close: async () => undefined })
}

const scope = { workspace_id: null, user_id: null }
const statement = read<object>('waiting_probe', 'select 1')

describe('the rule of the tests for transactions', () => {
  it('fails one that waits for something other than PostgreSQL, and names its last statement', async () => {
    const waiting = writersOf(0).transaction(scope, async tx => {
      await tx.one(statement, {})
      await pause(60_000, undefined, { ref: false })
    })
    await assert.rejects(waiting, /waited 200 ms for something other than PostgreSQL, after waiting_probe/)
  })

  it('lets one wait for PostgreSQL as long as it takes', async () => {
    await writersOf(500).transaction(scope, tx => tx.one(statement, {}))
  })

  it('lets one compute while nothing else runs, or the machine is busy', async () => {
    await writersOf(0).transaction(scope, async tx => {
      await tx.one(statement, {})
      for (const until = performance.now() + 500; performance.now() < until;);
    })
  })

  it('fails whoever uses a part that belongs outside, however fast it is', async () => {
    const store = outsideTransactions('store', { has: async () => true, uploads: { list: async () => [] } })
    assert.equal(await store.has(), true)
    await assert.rejects(
      writersOf(0).transaction(scope, () => store.uploads.list()),
      /store\.uploads\.list was used while a transaction was open/,
    )
    assert.deepEqual(await store.uploads.list(), [])
  })
})
