import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { connectionConfig } from '../../src/database/connections/connection.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { statements } from './all-statements.ts'

/** PostgreSQL's error for a Workspace table if row_security is off. */
const wouldBeScoped = /^query would be affected by row-level security policy for table/

/** Reads without a row scope that are not declared unscoped, each with the reason. */
const withoutScopeAnyway: Readonly<Record<string, string>> = {
  feed_positions_of: 'the watch asks for nobody',
  room_invitation_by_digest: 'it is asked in a transaction, or before anybody is known',
}

describe('every read declares whether it reads rows of a Workspace: only those that do are sent with a row scope', () => {
  let testDatabase: TestDatabase
  let client: pg.Client
  before(async () => {
    testDatabase = await createTestDatabase()
    client = new pg.Client(
      connectionConfig(testDatabase.address, 'svc_reader', {
        default_transaction_read_only: 'on',
        row_security: 'off',
        plan_cache_mode: 'force_generic_plan',
      }),
    )
    await client.connect()
  })
  after(async () => {
    await client.end()
    await testDatabase.drop()
  })

  it('there are some of either kind', () => {
    const reads = statements.filter(statement => statement.access === 'read')
    assert.ok(reads.filter(statement => statement.unscoped).length > 20)
    assert.ok(reads.filter(statement => !statement.unscoped).length > 20)
  })

  const search = ({ name }: { name: string }) => name.startsWith('business_search_')
  for (const { name, text, access, unscoped } of statements.filter(one => !search(one)))
    it(`${name} (${access === 'write' ? 'a write' : unscoped ? 'unscoped' : 'scoped'})`, async () => {
      // A write runs in a transaction with a row scope of its own.
      if (access === 'write') assert.equal(unscoped, undefined)
      else if (name in withoutScopeAnyway) assert.equal(await touchesScopedRows(name, text), false)
      else if (unscoped)
        assert.equal(
          await touchesScopedRows(name, text),
          false,
          `${name} reads a Workspace table: declare it with read()`,
        )
      else
        assert.equal(
          await touchesScopedRows(name, text),
          true,
          `${name} reads no Workspace table: declare it with readUnscoped()`,
        )
    })

  it('searches, with every combination of filters, are unscoped', async () => {
    for (const { name, text, unscoped } of statements.filter(search)) {
      assert.ok(unscoped, name)
      assert.equal(await touchesScopedRows(name, text), false, name)
    }
  })

  const planted: [string, string, boolean][] = [
    ['a table of a Workspace', 'select title from rooms where workspace_id = $1', true],
    [
      'one in a part that is never reached',
      'select name from published_businesses where id = $1 and exists (select from rooms where false)',
      true,
    ],
    ['one whose rows are locked', 'select from memberships where workspace_id = $1 for update', true],
    ['one within a function', 'select from readable_business($1, true, $2)', true],
    ['facts of Businesses', 'select name from businesses where id = $1', false],
    ['a function that reads as the owner', 'select * from find_api_key_by_prefix($1)', false],
  ]
  for (const [title, text, touches] of planted)
    it(`${touches ? 'finds' : 'passes'} ${title}`, async () => {
      assert.equal(await touchesScopedRows('planted', text), touches)
    })

  async function touchesScopedRows(name: string, text: string): Promise<boolean> {
    try {
      await client.query(`prepare ${name} as ${text}`)
      // PostgreSQL looks into the functions of a statement when it plans it.
      const nulls = Array.from(new Set(text.match(/\$\d+/g)), () => 'null').join(', ')
      await client.query(`explain execute ${name}${nulls && `(${nulls})`}`)
      return false
    } catch (error) {
      if (error instanceof Error && wouldBeScoped.test(error.message)) return true
      throw error
    } finally {
      await client.query('deallocate all')
    }
  }
})
