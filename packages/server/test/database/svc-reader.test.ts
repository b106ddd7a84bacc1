import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { connectionConfig } from '../../src/database/connections/connection.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'

describe('svc_reader', () => {
  let testDatabase: TestDatabase
  let reader: pg.Client
  let tables: { name: string; column: string }[]
  before(async () => {
    testDatabase = await createTestDatabase()
    reader = new pg.Client(
      connectionConfig(testDatabase.address, 'svc_reader', { default_transaction_read_only: 'on' }),
    )
    await reader.connect()
    const { rows } = await reader.query<{ name: string; column: string }>(
      `select relname as name, format('%I', attname) as column
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum = 1
       where relnamespace = 'svc'::regnamespace and relkind in ('r', 'p')`,
    )
    tables = rows
  })
  after(async () => {
    await reader.end()
    await testDatabase.drop()
  })

  const writes = () =>
    tables.flatMap(({ name, column }) => [
      `insert into ${name} default values`,
      `update ${name} set ${column} = ${column}`,
      `delete from ${name}`,
      `truncate ${name}`,
      `select from ${name} for update`,
    ])

  it('can write to no table, since it may only read', async () => {
    assert.ok(tables.length > 20)
    for (const statement of writes())
      await assert.rejects(reader.query(statement), { code: /^(25006|42501)$/ }, statement)
  })

  it('can write to no table though it turns its own limit off, since it has no right to', async () => {
    await reader.query('set default_transaction_read_only = off')
    for (const statement of writes())
      await assert.rejects(reader.query(statement), { code: '42501' }, statement)
    await reader.query('set default_transaction_read_only = on')
  })

  it('can make nothing, become nobody else, and not read the secret', async () => {
    await reader.query('set default_transaction_read_only = off')
    for (const statement of [
      'create table mine (id integer)',
      'create table public.mine (id integer)',
      'create schema mine',
      'alter table users disable row level security',
      'select * from service_secrets',
      `select nextval('nothing')`,
    ])
      await assert.rejects(
        reader.query(statement),
        /permission denied|must be owner|does not exist/,
        statement,
      )
  })
})
