import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { openPools, type Database } from '../../../src/database/database.ts'
import { ReadersBusy } from '../../../src/database/faults.ts'
import { read, type ConnectionClass, type RowScope } from '../../../src/database/statement.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'

const gate = 4712
const held = (kind: ConnectionClass) =>
  read<{ pid: number }>(
    `test_held_${kind}`,
    `select pg_backend_pid() as pid from (select pg_advisory_xact_lock_shared(${gate})) held`,
    kind,
  )
const waits = { default: held('default'), long: held('long'), custom_plan: held('custom_plan') }
const at_once = {
  default: read<{ pid: number }>('test_pid_default', 'select pg_backend_pid() as pid'),
  long: read<{ pid: number }>('test_pid_long', 'select pg_backend_pid() as pid', 'long'),
  custom_plan: read<{ pid: number }>('test_pid_replanned', 'select pg_backend_pid() as pid', 'custom_plan'),
}
const fails = read('test_fails', 'select 1 / 0', 'long')
const timeout = (kind: ConnectionClass) =>
  read<{ milliseconds: number }>(
    `test_timeout_${kind}`,
    `select setting::integer as milliseconds from pg_settings where name = 'statement_timeout'`,
    kind,
  )
const timeouts = (['standing', 'default', 'long', 'custom_plan', 'fail_fast', 'readiness'] as const).map(
  timeout,
)

describe('the shares of readers', () => {
  let testDatabase: TestDatabase
  let database: Database
  let holder: pg.Client
  const scope = (): RowScope => ({ workspace_id: randomUUID(), user_id: randomUUID() })
  const [busy, quiet] = [scope(), scope()] as const

  before(async () => {
    testDatabase = await createTestDatabase()
    database = openPools(testDatabase.address, { info() {}, warn() {} })
    holder = new pg.Client(testDatabase.address)
    await holder.connect()
  })
  after(async () => {
    await holder.end()
    await database.close()
    await testDatabase.drop()
  })

  async function whileHeld(work: () => Promise<void>): Promise<void> {
    await holder.query('select pg_advisory_lock($1)', [gate])
    try {
      await work()
    } finally {
      await holder.query('select pg_advisory_unlock_all()')
    }
  }

  const waiting = async () => {
    const { rows } = await holder.query<{ count: number }>(
      `select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0]?.count ?? 0
  }

  for (const [kind, ofOne] of [
    ['long', 2],
    ['custom_plan', 3],
  ] as const)
    it(`leave ${kind} reads of others their connections, and each has one to itself`, async () => {
      await whileHeld(async () => {
        const held = Promise.all(
          Array.from({ length: 6 }, () => database.readers.scoped(busy).one(waits[kind], {})),
        )
        await eventually(async () => (await waiting()) === ofOne)
        const theirs = await Promise.all(
          Array.from({ length: 20 }, () => database.readers.scoped(quiet).one(at_once[kind], {})),
        )
        assert.equal(await waiting(), ofOne)
        await holder.query('select pg_advisory_unlock_all()')
        const pids = new Set((await held).map(row => row?.pid))
        assert.ok(pids.size >= ofOne && pids.size <= 4)
        assert.ok(theirs.every(row => row !== undefined))
      })
    })

  it('are released by a statement that fails', async () => {
    for (let i = 0; i < 10; i++)
      await assert.rejects(database.readers.scoped(busy).one(fails, {}), { code: '22012' })
    assert.ok(await database.readers.scoped(busy).one(at_once.long, {}))
  })

  it('give each class of reads the time that suits it', async () => {
    const milliseconds = await Promise.all(
      timeouts.map(async statement => (await database.readers.unscoped.one(statement, {}))?.milliseconds),
    )
    assert.deepEqual(milliseconds, [2000, 3000, 5000, 5000, 100, 1500])
  })

  it('reject those who still wait for a turn when the service ends', async () => {
    const ending = openPools(testDatabase.address, { info() {}, warn() {} })
    await whileHeld(async () => {
      const reads = Array.from({ length: 5 }, () => ending.readers.scoped(busy).one(waits.long, {}))
      const outcomes = Promise.allSettled(reads)
      await eventually(async () => (await waiting()) === 2)
      const closing = ending.close()
      await holder.query('select pg_advisory_unlock_all()')
      await closing
      const reasons = (await outcomes).map(one => (one.status === 'rejected' ? one.reason : null))
      assert.ok(reasons.filter(reason => reason instanceof ReadersBusy).length === 3, String(reasons))
    })
  })
})
