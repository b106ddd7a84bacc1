import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { connectionConfig } from '../../../src/database/connections/connection.ts'
import { write } from '../../../src/database/statement.ts'
import {
  createWriterPool,
  type Transaction,
  type WriterPool,
} from '../../../src/database/connections/writer.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'

const nobody = { workspace_id: null, user_id: null }
const asked = write<{ at: string }>('test_asked', `select clock_timestamp()::text || :suffix::text as at`)
const other = write('test_other', 'select 1')
const broken = write('test_broken', 'select from nowhere')

describe('a transaction with prefetched statements', () => {
  let testDatabase: TestDatabase
  let writers: WriterPool
  before(async () => {
    testDatabase = await createTestDatabase()
    writers = createWriterPool({
      config: connectionConfig(testDatabase.address, 'svc_writer'),
      size: 1,
      onError() {},
    })
  })
  after(async () => {
    await writers.close()
    await testDatabase.drop()
  })

  const sent = (suffix: string, work: (tx: Transaction, first: () => string | undefined) => Promise<void>) =>
    writers.transaction(nobody, async tx => {
      let first: string | undefined
      tx.prefetch(async () => void (first = (await tx.run(asked, { suffix }))[0]?.at))
      await work(tx, () => first)
    })
  const atOf = async (tx: Transaction, value: string) => (await tx.run(asked, { suffix: value }))[0]?.at

  it('gives their results to the same statements when they are run next, once', () =>
    sent('a', async (tx, first) => {
      const at = await atOf(tx, 'a')
      assert.ok(at)
      assert.equal(at, first())
      assert.notEqual(await atOf(tx, 'a'), at)
    }))

  it('forgets their answers where other values, or another statement, come next', async () => {
    await sent('a', async (tx, first) => {
      assert.match((await atOf(tx, 'b')) ?? '', /b$/)
      assert.notEqual(await atOf(tx, 'a'), first())
    })
    await sent('a', async (tx, first) => {
      await tx.run(other, {})
      assert.notEqual(await atOf(tx, 'a'), first())
    })
  })

  it('fails if one of them failed, whether or not its result was used', async () => {
    for (const asks of [true, false]) {
      const failing = writers.transaction(nobody, async tx => {
        tx.prefetch(() => tx.run(broken, {}))
        if (asks) await tx.run(broken, {})
        else tx.save(other, {})
      })
      await assert.rejects(failing, { code: '42P01' })
    }
  })
})
