import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { connectionConfig } from '../../src/database/connections/connection.ts'
import type { Statement } from '../../src/database/statement.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { statements } from './all-statements.ts'

describe('every declared statement fits the schema and the privileges of its role', () => {
  let testDatabase: TestDatabase
  let clients: Record<Statement<unknown>['access'], pg.Client>
  before(async () => {
    testDatabase = await createTestDatabase()
    clients = {
      read: new pg.Client(
        connectionConfig(testDatabase.address, 'svc_reader', { default_transaction_read_only: 'on' }),
      ),
      write: new pg.Client(connectionConfig(testDatabase.address, 'svc_writer')),
    }
    await Promise.all(Object.values(clients).map(client => client.connect()))
  })
  after(async () => {
    await Promise.all(Object.values(clients).map(client => client.end()))
    await testDatabase.drop()
  })

  it('there are some of either kind, and of every kind of line', () => {
    assert.deepEqual(
      new Set(statements.map(statement => statement.connectionClass)),
      new Set(['standing', 'default', 'long', 'custom_plan', 'fail_fast', 'readiness']),
    )
    for (const access of ['read', 'write'] as const)
      assert.ok(statements.filter(statement => statement.access === access).length > 5)
  })

  it('name their parameters, and know no positions', () => {
    const positional = statements.filter(({ named }) => /\$\d/.test(named)).map(({ name }) => name)
    assert.deepEqual(positional, [])
  })

  it('those that make a page are on no connection for short ones, which others wait behind', () => {
    const pages = statements.filter(({ access, text }) => access === 'read' && /\blimit \$\d/.test(text))
    assert.ok(pages.length > 10, `${pages.length} pages`)
    const long = new Set(['long', 'custom_plan', 'fail_fast'])
    const misplaced = pages
      .filter(({ connectionClass }) => !long.has(connectionClass))
      .map(({ name }) => name)
    assert.deepEqual(misplaced, [])
  })

  it('those of credentials and standing have connections of their own, with what else every request waits for', () => {
    const names = statements
      .filter(({ connectionClass }) => connectionClass === 'standing')
      .map(({ name }) => name)
    assert.deepEqual(names.sort(), [
      'api_key_by_prefix',
      'feed_positions_of',
      'public_change_unseen',
      'standing',
      'standing_guest',
    ])
  })

  const search = (statement: Statement<unknown>) => statement.name.startsWith('business_search_')
  for (const statement of statements.filter(one => !search(one)))
    it(`${statement.name} (${statement.access})`, () => tryOut(statement))

  it('searches, with every combination of filters', async () => {
    const searches = statements.filter(search)
    assert.ok(searches.length >= 3 * 16, `${searches.length} searches`)
    for (const statement of searches) await tryOut(statement)
  })

  async function tryOut({ name, text, access }: Statement<unknown>): Promise<void> {
    const client = clients[access]
    await client.query(`prepare ${name} as ${text}`)
    const { rows } = await client.query<{ count: number }>(
      `select cardinality(parameter_types) as count from pg_prepared_statements where name = $1`,
      [name],
    )
    const count = rows[0]?.count ?? 0
    assert.equal(count, new Set(text.match(/\$\d+/g)).size)
    // Privileges are checked when a plan is executed.
    const values = count > 0 ? `(${Array(count).fill('null').join(', ')})` : ''
    await client.query(`explain execute ${name}${values}`)
    await client.query(`deallocate ${name}`)
  }
})
