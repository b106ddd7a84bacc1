import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectionConfig } from '../../../src/database/connections/connection.ts'
import { CommitUnknown, isConnectionLoss, WritersBusy } from '../../../src/database/faults.ts'
import { write } from '../../../src/database/statement.ts'
import { createWriterPool, type WriterPool } from '../../../src/database/connections/writer.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { startFaultProxy } from '../../harness/postgres/fault-proxy.ts'
import { superuserPool } from '../../harness/postgres/superuser-pool.ts'

const nobody = { workspace_id: null, user_id: null }
const insert = write(
  'test_source_insert',
  `insert into sources (source, title, publisher, licence) values (:source, 'A source', 'A test', 'none')`,
)
const retitle = write('test_source_retitle', `update sources set title = :title where source = :source`)
const setting = write<{ value: string }>('test_setting', `select current_setting(:name, true) as value`)
const raise = write('test_raise', `select svc.test_raise(:code)`)
const nothing = write('test_nothing', `select from nowhere`)
const backend = write<{ pid: number }>('test_backend', `select pg_backend_pid() as pid`)

const quiet = () => {}

describe('a transaction', () => {
  let testDatabase: TestDatabase
  let admin: pg.Pool
  let writers: WriterPool
  before(async () => {
    testDatabase = await createTestDatabase()
    admin = superuserPool(testDatabase.address, 2)
    await admin.query(
      `create function svc.test_raise(code text) returns void language plpgsql as $$ begin raise exception 'made up' using errcode = code; end $$`,
    )
    writers = createWriterPool({
      config: connectionConfig(testDatabase.address, 'svc_writer'),
      size: 4,
      onError: quiet,
    })
  })
  after(async () => {
    await writers.close()
    await admin.end()
    await testDatabase.drop()
  })

  const titleOf = async (source: string) =>
    (await admin.query<{ title: string }>(`select title from sources where source = $1`, [source])).rows[0]
      ?.title

  it('commits what its work did, and gives what its work gave', async () => {
    const given = await writers.transaction(nobody, async tx => {
      await tx.run(insert, { source: 'kept' })
      return 'given'
    })
    assert.equal(given, 'given')
    assert.equal(await titleOf('kept'), 'A source')
  })

  it('leaves nothing when its work throws, between statements or for one', async () => {
    const broken = writers.transaction(nobody, async tx => {
      await tx.run(insert, { source: 'left-1' })
      throw new Error('changed my mind')
    })
    await assert.rejects(broken, /changed my mind/)
    const failing = writers.transaction(nobody, async tx => {
      await Promise.all([tx.run(insert, { source: 'left-2' }), tx.run(nothing, {})])
    })
    await assert.rejects(failing, { code: '42P01' })
    assert.deepEqual([await titleOf('left-1'), await titleOf('left-2')], [undefined, undefined])
  })

  it('fails for a value that cannot be sent, and its connection answers what comes next', async () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    const only = createWriterPool({
      config: connectionConfig(testDatabase.address, 'svc_writer'),
      size: 1,
      onError: quiet,
    })
    const sent = (title: unknown) =>
      only.transaction(nobody, async tx => {
        tx.save(insert, { source: 'unsendable' })
        const answers = [
          tx.run(retitle, { source: 'unsendable', title }),
          tx.run(setting, { name: 'search_path' }),
        ]
        await Promise.allSettled(answers)
        return (await Promise.all(answers))[1]
      })
    try {
      await assert.rejects(sent(circular), /circular/)
      assert.equal(await titleOf('unsendable'), undefined)
      assert.deepEqual(await sent('Another title'), [{ value: 'svc,public' }])
      assert.equal(await titleOf('unsendable'), 'Another title')
    } finally {
      await only.close()
    }
  })

  it('fails though its work overlooked that a statement failed', async () => {
    const careless = writers.transaction(nobody, async tx => {
      await tx.run(insert, { source: 'careless' })
      await tx.run(nothing, {}).catch(quiet)
    })
    await assert.rejects(careless, { code: '42P01' })
    assert.equal(await titleOf('careless'), undefined)
  })

  it('fails with the error of a failed save, although its work did not wait for it', async () => {
    const saving = writers.transaction(nobody, async tx => {
      tx.save(insert, { source: 'saved' })
      tx.save(nothing, {})
      tx.save(insert, { source: 'behind' })
      return 'done'
    })
    await assert.rejects(saving, { code: '42P01' })
    assert.deepEqual([await titleOf('saved'), await titleOf('behind')], [undefined, undefined])
    await writers.transaction(nobody, async tx => tx.save(insert, { source: 'saved' }))
    assert.equal(await titleOf('saved'), 'A source')
  })

  it('reports a failed save to its work if that sends more statements', async () => {
    const saving = writers.transaction(nobody, async tx => {
      tx.save(nothing, {})
      await tx.run(setting, { name: 'role' })
    })
    await assert.rejects(saving, { code: '42P01' })
  })

  it('fails for work that it includes', async () => {
    const including = writers.transaction(nobody, async tx => {
      tx.save(insert, { source: 'included' })
      tx.include(tx.run(nothing, {}))
    })
    await assert.rejects(including, { code: '42P01' })
    assert.equal(await titleOf('included'), undefined)
  })

  it('leaves nothing of unsent saves when its work throws', async () => {
    const broken = writers.transaction(nobody, async tx => {
      tx.save(insert, { source: 'unsent' })
      throw new Error('changed my mind')
    })
    await assert.rejects(broken, /changed my mind/)
    assert.equal(await titleOf('unsent'), undefined)
  })

  it('prepares anew what was passed over behind a statement that failed', async () => {
    const config = connectionConfig(testDatabase.address, 'svc_writer')
    const one = createWriterPool({ config, size: 1, onError: quiet })
    const failing = one.transaction(nobody, async tx => {
      await Promise.all([
        tx.run(nothing, {}),
        tx.run(setting, { name: 'role' }),
        tx.run(retitle, { source: 'a', title: 'b' }),
      ])
    })
    await assert.rejects(failing, { code: '42P01' })
    for (let times = 0; times < 2; times++)
      await one.transaction(nobody, async tx => {
        const [role] = await tx.run(setting, { name: 'role' })
        assert.equal(role?.value, 'svc_writer')
        tx.save(retitle, { source: 'a', title: 'b' })
      })
    await one.close()
  })

  it('reports the statement that failed first, and not those that failed because of it', async () => {
    const failing = writers.transaction(nobody, async tx => {
      const outcomes = await Promise.allSettled([tx.run(nothing, {}), tx.run(setting, { name: 'role' })])
      assert.deepEqual(
        outcomes.map(one => one.status === 'rejected' && (one.reason as { code: string }).code),
        ['42P01', '42P01'],
      )
      throw (outcomes[1] as PromiseRejectedResult).reason
    })
    await assert.rejects(failing, { code: '42P01' })
  })

  it('reads what is committed, and gives up on locks and statements in time', async () => {
    await writers.transaction(nobody, async tx => {
      const names = [
        'transaction_isolation',
        'lock_timeout',
        'statement_timeout',
        'idle_in_transaction_session_timeout',
      ]
      const values = await Promise.all(names.map(async name => (await tx.run(setting, { name }))[0]?.value))
      assert.deepEqual(values, ['read committed', '2s', '5s', '10s'])
    })
  })

  it('reads what is committed also where the database would have it otherwise', async () => {
    const { rows } = await admin.query<{ name: string }>(`select current_database() as name`)
    await admin.query(`alter database ${rows[0]?.name} set default_transaction_isolation = 'serializable'`)
    const config = connectionConfig(testDatabase.address, 'svc_writer')
    const fresh = createWriterPool({ config, size: 1, onError: quiet })
    const [level] = await fresh.transaction(nobody, tx => tx.run(setting, { name: 'transaction_isolation' }))
    assert.equal(level?.value, 'read committed')
    await fresh.close()
    await admin.query(`alter database ${rows[0]?.name} reset default_transaction_isolation`)
  })

  it('leaves no trace of whom it was for on its connection, however it ends', async () => {
    const clients: pg.Client[] = []
    class Watched extends pg.Client {
      constructor(config: pg.ClientConfig) {
        super(config)
        clients.push(this)
      }
    }
    const config = { ...connectionConfig(testDatabase.address, 'svc_writer'), Client: Watched }
    const alone = createWriterPool({ config, size: 1, onError: quiet })
    const someone = { workspace_id: randomUUID(), user_id: randomUUID() }
    const work = (fail: boolean) =>
      alone.transaction(someone, async tx => {
        assert.equal((await tx.run(setting, { name: 'svc.workspace_id' }))[0]?.value, someone.workspace_id)
        tx.enter({ workspace_id: randomUUID(), user_id: someone.user_id })
        if (fail) throw new Error('no')
      })
    for (const fail of [false, true]) {
      await work(fail).catch(quiet)
      const { rows } = await (clients[0] as pg.Client).query(
        `select current_setting('svc.workspace_id') as workspace_id, current_setting('svc.user_id') as user_id`,
      )
      assert.deepEqual(rows, [{ workspace_id: '', user_id: '' }])
    }
    assert.equal(clients.length, 1)
    await alone.close()
  })

  it('is over for work that goes on after it', async () => {
    let late: Promise<unknown> = Promise.resolve()
    const failing = writers.transaction(nobody, async tx => {
      const goesOn = async () => {
        await sleep(50)
        await tx.run(insert, { source: 'late' })
      }
      late = goesOn()
      late.catch(quiet)
      await Promise.all([late, tx.run(nothing, {})])
    })
    await assert.rejects(failing, { code: '42P01' })
    await Promise.all(Array.from({ length: 8 }, () => writers.transaction(nobody, () => sleep(60))))
    await assert.rejects(late, /ended before test_source_insert/)
    assert.equal(await titleOf('late'), undefined)
  })

  for (const code of ['40001', '40P01'])
    it(`is tried three times when it ends in ${code}`, async () => {
      let tries = 0
      const unlucky = writers.transaction(nobody, async tx => {
        tries++
        await tx.run(raise, { code })
      })
      await assert.rejects(unlucky, { code })
      assert.equal(tries, 3)
      tries = 0
      await writers.transaction(nobody, async tx => {
        if (++tries < 3) await tx.run(raise, { code })
        await tx.run(insert, { source: `third-time-${code}` })
      })
      assert.equal(tries, 3)
      assert.equal(await titleOf(`third-time-${code}`), 'A source')
    })

  for (const code of ['55P03', '23505', '57014'])
    it(`is tried once when it ends in ${code}`, async () => {
      let tries = 0
      const failing = writers.transaction(nobody, async tx => {
        tries++
        await tx.run(raise, { code })
      })
      await assert.rejects(failing, { code })
      assert.equal(tries, 1)
    })

  it('survives a real deadlock', async () => {
    await Promise.all(['a', 'b'].map(source => writers.transaction(nobody, tx => tx.run(insert, { source }))))
    const both = Promise.withResolvers<void>()
    let arrived = 0
    let tries = 0
    const cross = (first: string, second: string) =>
      writers.transaction(nobody, async tx => {
        tries++
        await tx.run(retitle, { source: first, title: `${first} then ${second}` })
        if (++arrived === 2) both.resolve()
        await both.promise
        await tx.run(retitle, { source: second, title: `${first} then ${second}` })
      })
    await Promise.all([cross('a', 'b'), cross('b', 'a')])
    assert.ok(tries >= 3, `${tries} tries`)
    assert.equal(await titleOf('a'), await titleOf('b'))
  })

  it('gives up on a lock after two seconds', async () => {
    await writers.transaction(nobody, tx => tx.run(insert, { source: 'held' }))
    const holder = await admin.connect()
    await holder.query(`begin; update sources set title = 'held' where source = 'held'`)
    const start = performance.now()
    await assert.rejects(
      writers.transaction(nobody, tx => tx.run(retitle, { source: 'held', title: 'mine' })),
      { code: '55P03' },
    )
    assert.ok(performance.now() - start < 10_000)
    await holder.query('rollback')
    holder.release()
  })

  it('waits for its turn while all connections are in use, up to a timeout', async () => {
    const one = createWriterPool({
      config: connectionConfig(testDatabase.address, 'svc_writer'),
      size: 1,
      timeoutMilliseconds: 200,
      onError: quiet,
    })
    const { promise, resolve } = Promise.withResolvers<void>()
    const long = one.transaction(nobody, () => promise)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => one.transaction(nobody, async () => 'had its turn')),
    )
    for (const one of outcomes) assert.ok(one.status === 'rejected' && one.reason instanceof WritersBusy)
    const patient = one.transaction(nobody, async () => 'had its turn')
    resolve()
    await long
    assert.equal(await patient, 'had its turn')
    assert.equal(await one.transaction(nobody, async () => 'had its turn'), 'had its turn')
    await one.close()
  })

  it('whose session is ended is lost, and the next ones are not', async () => {
    const lost = writers.transaction(nobody, async tx => {
      await tx.run(insert, { source: 'lost' })
      const [session] = await tx.run(backend, {})
      await admin.query('select pg_terminate_backend($1, 5000)', [session?.pid])
      await tx.run(setting, { name: 'role' })
    })
    await assert.rejects(lost, isConnectionLoss)
    for (let i = 0; i < 8; i++)
      await writers.transaction(nobody, tx => tx.run(insert, { source: `next-${i}` }))
    assert.equal(await titleOf('lost'), undefined)
  })
})

describe('a server that stops answering', () => {
  it('loses a transaction in time, and at COMMIT leaves it unknown', async () => {
    await using ending = new AsyncDisposableStack()
    const proxy = await startFaultProxy()
    ending.defer(() => proxy.close())
    const testDatabase = await createTestDatabase()
    ending.defer(() => testDatabase.drop())
    const config = { ...connectionConfig(testDatabase.address, 'svc_writer'), query_timeout: 300 }
    const writers = createWriterPool({ config, size: 1, onError: quiet })
    ending.defer(() => writers.close())
    const silenced = writers.transaction(nobody, async tx => {
      proxy.freeze()
      await tx.run(setting, { name: 'role' })
    })
    await assert.rejects(silenced, isConnectionLoss)
    proxy.mend()
    const uncommitted = writers.transaction(nobody, async tx => {
      await tx.run(insert, { source: 'silence' })
      proxy.freeze()
    })
    await assert.rejects(uncommitted, CommitUnknown)
    proxy.mend()
    const [role] = await writers.transaction(nobody, tx => tx.run(setting, { name: 'role' }))
    assert.equal(role?.value, 'svc_writer')
  })
})
