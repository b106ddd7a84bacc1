import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectionConfig, type DatabaseAddress } from '../../../src/database/connections/connection.ts'
import { openPools } from '../../../src/database/database.ts'
import { isConnectionLoss } from '../../../src/database/faults.ts'
import { createReaderPool, type ReaderPool } from '../../../src/database/connections/reader.ts'
import { read, readUnscoped, type RowScope } from '../../../src/database/statement.ts'
import { numbersFrom } from '../../crash/seed.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { startFaultProxy } from '../../harness/postgres/fault-proxy.ts'
import { oneConnectionPerClass } from '../../harness/one-connection.ts'
import { quietLog } from '../../harness/quiet-log.ts'
import { superuserPool } from '../../harness/postgres/superuser-pool.ts'

// A statement without a condition on the Workspace, so that only row-level security hides rows.
const anyReceipts = read<{ workspace_id: string }>('test_receipts', `select workspace_id from receipts`)
const receiptsMarkedOpen = readUnscoped<{ workspace_id: string }>(
  'test_receipts_marked_open',
  `select workspace_id from receipts`,
)
const anyReceiptsReplanned = read<{ workspace_id: string }>(
  'test_receipts_replanned',
  `select workspace_id from receipts`,
  'custom_plan',
)
const slowReceipts = read<{ workspace_id: string }>(
  'test_receipts_slow',
  `select workspace_id, pg_sleep(0.002) from receipts`,
)
const anyWorkspaces = read<{ id: string }>('test_workspaces', `select id from workspaces`)
const myWorkspaces = read<{ workspace_id: string }>(
  'test_memberships',
  `select workspace_id from memberships`,
)
const divide = read<{ result: number }>('test_divide', `select 10 / :divisor::integer as result`)
const missing = read('test_missing', `select from nowhere`)
const whoami = read<{ role: string; pid: number; read_only: string }>(
  'test_whoami',
  `select current_user as role, pg_backend_pid() as pid, current_setting('transaction_read_only') as read_only`,
)

/** One connection of each class. */
const receiptsEach = 3
describe('readers', () => {
  let testDatabase: TestDatabase
  let admin: pg.Pool
  let readers: ReaderPool
  let close: () => Promise<void>
  const tenants = Array.from({ length: 40 }, () => ({ workspace_id: randomUUID(), user_id: randomUUID() }))

  before(async () => {
    testDatabase = await createTestDatabase()
    admin = superuserPool(testDatabase.address, 2)
    for (const { workspace_id, user_id } of tenants) {
      await admin.query(
        `insert into users (id, issuer, subject) values ($1::uuid, 'https://issuer.example', $1::uuid::text)`,
        [user_id],
      )
      await admin.query(
        `insert into workspaces (id, name, workspace_type, created_by) values ($1, 'One of many', 'team', $2)`,
        [workspace_id, user_id],
      )
      await admin.query(
        `insert into memberships (workspace_id, id, user_id, role, status) values ($1, gen_random_uuid(), $2, 'owner', 'active')`,
        [workspace_id, user_id],
      )
      await admin.query(
        `insert into receipts (workspace_id, receipt_id, command_id, operation, actor, resource_type, resource_id, occurred_at, period)
         select $1, gen_random_uuid(), gen_random_uuid(), 'a_test', '{}', 'x', 'x', now(), 1 from generate_series(1, ${receiptsEach})`,
        [workspace_id],
      )
    }
    const pools = openPools(testDatabase.address, quietLog)
    readers = pools.readers
    close = () => pools.close()
  })
  after(async () => {
    await close()
    await admin.end()
    await testDatabase.drop()
  })

  it('show each request its own rows, and open ones none, however requests, errors and cancellations interleave', async context => {
    const seed = Number(process.env.SVC_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
    context.diagnostic(`SVC_TEST_SEED=${seed}`)
    const random = numbersFrom(seed)
    const disturbing = new AbortController()
    const disturber = disturb(random, disturbing.signal)
    const seen = { own: 0, nobodys: 0, failed: 0 }
    const tellers = Array.from({ length: 64 }, async () => {
      for (let i = 0; i < 120; i++) await ask(random, seen)
    })
    await Promise.all(tellers)
    disturbing.abort()
    await disturber
    context.diagnostic(JSON.stringify(seen))
    assert.ok(seen.own > 3000 && seen.nobodys > 300, JSON.stringify(seen))
    assert.ok(seen.failed > 100, JSON.stringify(seen))
  })

  async function ask(
    random: () => number,
    seen: { own: number; nobodys: number; failed: number },
  ): Promise<void> {
    const tenant = tenants[Math.floor(random() * tenants.length)] as (typeof tenants)[number]
    const statements = [anyReceipts, anyReceipts, anyReceiptsReplanned, slowReceipts] as const
    const statement = statements[Math.floor(random() * statements.length)] as typeof anyReceipts
    const kind = random()
    try {
      if (kind < 0.7) {
        const rows = await readers.scoped({ ...tenant, user_id: null }).many(statement, {})
        assert.deepEqual(new Set(rows.map(row => row.workspace_id)), new Set([tenant.workspace_id]))
        assert.equal(rows.length, receiptsEach)
        seen.own++
      } else if (kind < 0.8) {
        const rows = await readers
          .scoped({ workspace_id: null, user_id: tenant.user_id })
          .many(myWorkspaces, {})
        assert.deepEqual(rows, [{ workspace_id: tenant.workspace_id }])
        seen.own++
      } else if (kind < 0.9) {
        assert.deepEqual(await readers.unscoped.many(statement, {}), [])
        assert.deepEqual(await readers.unscoped.many(anyWorkspaces, {}), [])
        seen.nobodys++
      } else if (kind < 0.95) await readers.scoped(tenant).one(divide, { divisor: 0 })
      else await readers.scoped({ ...tenant, workspace_id: 'not a uuid' }).one(anyReceipts, {})
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      seen.failed++
    }
  }

  /** Cancels statements on the readers' connections, and sometimes ends one of them. */
  async function disturb(random: () => number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const how = random() < 0.05 ? 'pg_terminate_backend' : 'pg_cancel_backend'
      await admin.query(
        `select ${how}(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'wbs svc_reader' order by random() limit 3`,
      )
      await sleep(5)
    }
  }

  it('show a person the Workspaces of that person', async () => {
    const [one] = tenants as [RowScope]
    const rows = await readers.scoped({ workspace_id: null, user_id: one.user_id }).many(anyWorkspaces, {})
    assert.deepEqual(rows, [{ id: one.workspace_id }])
  })

  it('show no rows of a Workspace to a statement declared unscoped by mistake, whoever used the connection before', async () => {
    const one = createReaderPool({
      config: () => connectionConfig(testDatabase.address, 'svc_reader'),
      classes: oneConnectionPerClass(),
      onError: () => {},
    })
    const scoped = one.scoped(tenants[0] as RowScope)
    const answers = await Promise.all([
      scoped.many(anyReceipts, {}),
      scoped.many(receiptsMarkedOpen, {}),
      scoped.many(anyReceipts, {}),
      scoped.many(receiptsMarkedOpen, {}),
    ])
    assert.deepEqual(
      answers.map(rows => rows.length),
      [receiptsEach, 0, receiptsEach, 0],
    )
    await one.close()
  })

  it('prepare a statement themselves where one before them was to, and was refused', async () => {
    const one = createReaderPool({
      config: () => connectionConfig(testDatabase.address, 'svc_reader'),
      classes: oneConnectionPerClass(),
      onError: () => {},
    })
    await one.unscoped.one(whoami, {})
    const nobodyAtAll = { workspace_id: '\0', user_id: null }
    const answers = await Promise.allSettled([
      one.scoped(nobodyAtAll).many(anyReceipts, {}),
      one.scoped(tenants[0] as RowScope).many(anyReceipts, {}),
    ])
    assert.deepEqual(
      answers.map(answer => (answer.status === 'fulfilled' ? answer.value.length : 'refused')),
      ['refused', receiptsEach],
    )
    await one.close()
  })

  it('go on after a failed statement, on the same connection, for whoever is next', async () => {
    const one = createReaderPool({
      config: () => connectionConfig(testDatabase.address, 'svc_reader'),
      classes: oneConnectionPerClass(),
      onError: () => {},
    })
    const pid = (await one.unscoped.one(whoami, {}))?.pid
    const answers = await Promise.allSettled([
      one.unscoped.one(divide, { divisor: 0 }),
      one.unscoped.one(divide, { divisor: 5 }),
      one.unscoped.one(missing, {}),
      one.unscoped.one(divide, { divisor: 2 }),
      one.scoped({ workspace_id: 'no uuid', user_id: null }).many(anyReceipts, {}),
      one.unscoped.one(divide, { divisor: 'no number' }),
      one.unscoped.one(divide, { divisor: 1 }),
    ])
    assert.deepEqual(
      answers.map(answer => (answer.status === 'fulfilled' ? answer.value : answer.reason.code)),
      ['22012', { result: 2 }, '42P01', { result: 5 }, '22P02', '22P02', { result: 10 }],
    )
    assert.equal((await one.unscoped.one(whoami, {}))?.pid, pid)
    await one.close()
  })

  it('give nothing out where it could not be set whose rows they are', async () => {
    await using ending = new AsyncDisposableStack()
    const proxy = await startFaultProxy()
    ending.defer(() => proxy.close())
    const { port } = new URL(
      (JSON.parse(process.env.WBS_TEST_SERVER ?? '') as DatabaseAddress).connectionString ?? '',
    )
    const { user, database = new URL(testDatabase.url).pathname.slice(1) } = testDatabase.address
    const behind = {
      host: '127.0.0.1',
      port: Number(port),
      user: user ?? new URL(testDatabase.url).username,
      database,
    }
    const one = createReaderPool({
      config: () => connectionConfig(behind, 'svc_reader'),
      classes: oneConnectionPerClass(),
      onError: () => {},
    })
    ending.defer(() => one.close())
    const [first, second] = tenants as [RowScope, RowScope]
    for (const who of [one.scoped(second), one.unscoped]) {
      assert.equal((await one.scoped(first).many(anyReceipts, {})).length, receiptsEach)
      // From here on, the first statement that runs is the one that sets the scope; the next one runs all the same.
      proxy.arm({ at: 1, from: 'service', how: 'fail' })
      await assert.rejects(who.many(anyReceipts, {}), { code: '34000' })
      assert.ok(proxy.struck())
      const rows = await who.many(anyReceipts, {})
      assert.deepEqual(
        new Set(rows.map(row => row.workspace_id)),
        new Set(who === one.unscoped ? [] : [second.workspace_id]),
      )
    }
  })

  it('are read-only, and in the role that may only SELECT', async () => {
    const { role, read_only } = (await readers.unscoped.one(whoami, {})) ?? {}
    assert.deepEqual({ role, read_only }, { role: 'svc_reader', read_only: 'on' })
  })

  it('carry many statements on few connections', async () => {
    const seen = await Promise.all(Array.from({ length: 200 }, () => readers.unscoped.one(whoami, {})))
    assert.ok(new Set(seen.map(row => row?.pid)).size <= 4)
  })

  it('reconnect after their connections were ended, and fail only the statements in progress', async () => {
    await Promise.all(Array.from({ length: 50 }, () => readers.unscoped.one(whoami, {})))
    await admin.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and application_name = 'wbs svc_reader'`,
    )
    await sleep(100)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => readers.unscoped.one(divide, { divisor: 2 })),
    )
    assert.ok(answers.every(answer => answer?.result === 5))
  })

  it('do not wait for ever on a server that falls silent', async () => {
    await using ending = new AsyncDisposableStack()
    const proxy = await startFaultProxy()
    ending.defer(() => proxy.close())
    const behind = await createTestDatabase()
    ending.defer(() => behind.drop())
    const config = () => ({ ...connectionConfig(behind.address, 'svc_reader'), query_timeout: 300 })
    const one = createReaderPool({ config, classes: oneConnectionPerClass(), onError: () => {} })
    ending.defer(() => one.close())
    await one.unscoped.one(whoami, {})
    proxy.freeze()
    await assert.rejects(one.unscoped.one(divide, { divisor: 2 }), isConnectionLoss)
    proxy.mend()
    assert.deepEqual(await one.unscoped.one(divide, { divisor: 2 }), { result: 5 })
  })

  it('cannot be handed a statement that writes', async () => {
    const sneaky = read(
      'test_sneaky',
      `insert into sources (source, title, publisher, licence) values ('x', 'x', 'x', 'x')`,
    )
    await assert.rejects(readers.unscoped.many(sneaky, {}), { code: /42501|25006/ })
  })
})
