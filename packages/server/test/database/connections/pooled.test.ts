import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { openPools, type Database } from '../../../src/database/database.ts'
import { migrate } from '../../../src/database/migrating/migrate.ts'
import { checkPooler } from '../../../src/database/pooler.ts'
import { UnsafeDatabase } from '../../../src/database/self-test.ts'
import { read, write } from '../../../src/database/statement.ts'
import { quietLog } from '../../harness/quiet-log.ts'
import { startPrivateServer, type PrivateServer } from '../embedded/private-server.ts'

interface Session {
  role: string
  workspace: string
  read_only: string
  statement_timeout: string
  search_path: string
}
const session = `select current_user::text as role, current_setting('svc.workspace_id', true) as workspace,
  current_setting('transaction_read_only') as read_only, current_setting('statement_timeout') as statement_timeout,
  current_setting('search_path') as search_path`
const readSession = read<Session>('test_pooled_read', session)
const readLong = read<Session>('test_pooled_long', session, 'long')
const writeSession = write<Session>('test_pooled_write', session)
const counterSession = write<Session>('test_pooled_counter', session)
const writeInRead = read('test_pooled_write_in_read', 'delete from users returning id')

const fails = write('test_pooled_fails', 'select 1 / 0')

const nothing = { workspace_id: null, user_id: null }
const here = { workspace_id: '00000000-0000-7000-8000-000000000002', user_id: null }

describe('connections through a pooler', () => {
  let server: PrivateServer
  let database: Database
  before(async () => {
    server = await startPrivateServer({ fsync: 'off' })
    await migrate(server.address('postgres'))
    await server.sql(
      await readFile(new URL('../../../../../ops/pgbouncer/pooler.sql', import.meta.url), 'utf8'),
    )
    const address = server.address('postgres')
    const pooler = `postgresql://wbs_pooler@/postgres?host=${encodeURIComponent(address.host ?? '')}&port=${address.port}`
    database = openPools(address, quietLog, { pooler })
  })
  after(async () => {
    await database.close()
    await server.close()
  })

  it('give each transaction its role, its row scope and its settings', async () => {
    const { readers, writers, counters } = database
    const usual = { search_path: 'svc,public', workspace: here.workspace_id }
    assert.deepEqual(await readers.scoped(here).one(readSession, {}), {
      ...usual,
      role: 'svc_reader',
      read_only: 'on',
      statement_timeout: '3s',
    })
    const long = await readers.scoped(here).one(readLong, {})
    assert.equal(long?.statement_timeout, '5s')
    const wrote = await writers.transaction(here, async tx => (await tx.run(writeSession, {}))[0])
    assert.deepEqual(wrote, { ...usual, role: 'svc_writer', read_only: 'off', statement_timeout: '5s' })
    const [counted] = await counters.run(counterSession, {})
    assert.deepEqual([counted?.role, counted?.statement_timeout], ['svc_writer', '500ms'])
  })

  it('let no read write', async () => {
    await assert.rejects(database.readers.scoped(here).many(writeInRead, {}), /read-only|permission denied/)
  })

  it('go on after a failure, in the role and the row scope of the next transaction', async () => {
    const failing = database.writers.transaction(here, async tx => tx.save(fails, {}))
    await assert.rejects(failing, /division by zero/)
    const wrote = await database.writers.transaction(nothing, async tx => (await tx.run(writeSession, {}))[0])
    assert.deepEqual([wrote?.role, wrote?.workspace], ['svc_writer', ''])
  })

  it('are made only with a login that reaches nothing by itself and can take both roles', async () => {
    const as = (user: string) => checkPooler({ ...server.address('postgres'), user })
    await as('wbs_pooler')
    const told = (user: string, message: RegExp) =>
      assert.rejects(
        as(user),
        (error: unknown) => error instanceof UnsafeDatabase && message.test(error.message),
      )
    await told(server.address('postgres').user ?? '', /may use the schema svc; .*is a superuser/)
    await server.sql('create role inheriting login inherit; grant svc_reader, svc_writer to inheriting')
    await told('inheriting', /without a role, inheriting may use the schema svc/)
    await server.sql('create role reading login noinherit; grant svc_reader to reading')
    await told('reading', /reading may not take the role svc_writer/)
    await server.sql('create role owning login noinherit; grant svc_reader, svc_writer, svc_owner to owning')
    await told('owning', /owning may take the role svc_owner/)
  })
})
