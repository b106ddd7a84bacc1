import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, before, describe, it, mock } from 'node:test'
import pg from 'pg'
import { connectionConfig } from '../../src/database/connection.ts'
import { connectWriter } from '../../src/database/database.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { administer } from '../harness/test-server.ts'

describe('a connection of its own', () => {
  let database: TestDatabase
  before(async () => void (database = await createTestDatabase()))
  after(() => database.drop())

  for (const [when, statement] of [
    ['with nothing to do', null],
    ['in the midst of a statement', 'select pg_sleep(60)'],
  ] as const)
    it(`that is lost ${when} fails what is asked of it, and ends nothing else`, async () => {
      const client = await connectWriter(database.address)
      const lost = new Promise<void>(resolve => client.once('end', resolve))
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      const asked = statement && assert.rejects(client.query(statement))
      await administer(database.address, admin =>
        admin.query('select pg_terminate_backend($1)', [rows[0]?.pid]),
      )
      await lost
      await asked
      await assert.rejects(client.query('select 1'))
      await client.end()
    })
})

describe('statements that are sent without waiting', () => {
  let database: TestDatabase
  before(async () => void (database = await createTestDatabase()))
  after(() => database.drop())

  it('go out in one write', async () => {
    const client = new pg.Client({ ...connectionConfig(database.address, 'svc_reader'), pipeline: true })
    await client.connect()
    const { stream } = (client as unknown as { connection: { stream: Required<Socket> } }).connection
    const writes = [mock.method(stream, '_write'), mock.method(stream, '_writev')]
    const asked = ['begin', { name: 'test_named', text: 'select $1::int as n', values: [1] }, 'commit']
    const answered = await Promise.all(asked.map(query => client.query(query)))
    assert.deepEqual(
      answered.map(({ command }) => command),
      ['BEGIN', 'SELECT', 'COMMIT'],
    )
    assert.equal(
      writes.map(write => write.mock.callCount()).reduce((a, b) => a + b),
      1,
    )
    await client.end()
  })
})
