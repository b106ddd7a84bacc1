import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
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
