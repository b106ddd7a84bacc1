import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { it, type TestContext } from 'node:test'
import pg from 'pg'
import { migrate } from '../../../src/database/migrating/migrate.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { startOtherNode } from '../../harness/other-node.ts'
import { startTestService, type TestService } from '../../harness/service.ts'
import { migrationFolder } from '../migrating/migration-folder.ts'
import { maintain, passDays } from './periods.ts'
import { superuserPool } from '../../harness/postgres/superuser-pool.ts'

const ofLater = /^(002[5-9]|00[3-9])/

it('a database of the version before partitions keeps its keys, receipts and feed', async t => {
  const service = await startTestService()
  t.after(() => service.close())
  const olivia = service.person('Olivia')
  const [creation, key] = [randomUUID(), randomUUID()]
  const { workspace } = await olivia.client.createWorkspace({ name: 'Harbor' }, { idempotency_key: creation })
  const workspace_id = workspace.id
  const first = await olivia.client.createRoom({ title: 'A Room' }, { idempotency_key: key, workspace_id })
  const { cursor } = await olivia.client.listEventChanges({}, { workspace_id })
  await olivia.client.createRoom({ title: 'Another Room' }, { workspace_id })
  const before = await olivia.client.listEvents({}, { workspace_id })
  const receipts = await service.sql<{ count: number }>('select count(*)::int as count from receipts')

  const old = await databaseBefore(t, service)
  await migrate(old.address)
  const upgraded = { testDatabase: old, sql: sqlOn(t, old.address) }
  const node = await startOtherNode({ ...service, testDatabase: old })
  t.after(() => node.close())
  const client = service.client({ base_url: node.base_url, access_token: olivia.token, workspace_id })

  const again = await client.createRoom({ title: 'A Room' }, { idempotency_key: key })
  assert.deepEqual([again.idempotent_replay, again.room.room_id], [true, first.room.room_id])
  const sameWorkspace = await client.createWorkspace({ name: 'Harbor' }, { idempotency_key: creation })
  assert.deepEqual([sameWorkspace.idempotent_replay, sameWorkspace.workspace.id], [true, workspace_id])
  const told = await client.getCommand({ idempotency_key: key })
  assert.equal(told.receipt?.receipt_id, first.action_receipt.receipt_id)
  assert.deepEqual((await client.listEvents({})).data, before.data)
  const after = await client.createRoom({ title: 'A third Room' })
  const changes = await client.listEventChanges({ cursor: cursor ?? undefined })
  assert.deepEqual(
    changes.data.map(event => event.subject.id),
    [before.data[0]?.subject.id, after.room.room_id],
  )
  const [count] = await upgraded.sql<{ count: number }>('select count(*)::int as count from receipts')
  assert.equal(count?.count, Number(receipts[0]?.count) + 1)

  // The rows from before are of a period that ends, besides the keys that are kept for ever.
  await maintain(upgraded)
  await passDays(upgraded, 100)
  await client.createRoom({ title: 'A Room of the next month' })
  assert.deepEqual((await maintain(upgraded)).dropped, ['commands_1'])
  const kept = await client.createWorkspace({ name: 'Harbor' }, { idempotency_key: creation })
  assert.equal(kept.idempotent_replay, true)
  const free = await client.createRoom({ title: 'A Room' }, { idempotency_key: key })
  assert.equal(free.idempotent_replay, false)
})

const sqlOn = (t: TestContext, address: object): TestService['sql'] => {
  const pool = superuserPool(address, 1)
  t.after(() => pool.end())
  return async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows
}

/** A database with the migrations before partitions, and the rows of a service. */
async function databaseBefore(t: TestContext, service: TestService) {
  const old = await createTestDatabase()
  t.after(() => old.drop())
  const sql = sqlOn(t, old.address)
  await sql('drop schema svc cascade')
  const folder = await migrationFolder(t)
  for (const name of await readdir(folder.url)) if (ofLater.test(name)) await rm(new URL(name, folder.url))
  await migrate(old.address, folder.url)
  // Without foreign keys and triggers, which prescribe an order of tables.
  await sql('set session_replication_role = replica')
  const columns = await sql<{ table: string; columns: string }>(
    `select c.relname as table, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'svc'::regnamespace and c.relkind = 'r' and c.relname !~ '^migration' and c.relname <> 'rate_limits'
     group by 1`,
  )
  for (const { table, columns: names } of columns) {
    const rows = await service.sql(`select to_jsonb(t) as row from ${table} t`)
    await sql(
      `insert into ${table} (${names}) select ${names} from jsonb_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows.map(({ row }) => row as object))],
    )
  }
  return old
}
