import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeWorld } from '../../operations/world.ts'
import { rowChanges } from './row-changes.ts'
import { startTestService, type TestService } from '../service.ts'

describe('the changes of rows that a test can ask for', () => {
  let service: TestService
  before(async () => {
    service = await startTestService()
    await makeWorld(service)
    await rowChanges(service)
  })
  after(() => service.close())

  const tables = () =>
    service.sql<{ name: string; column: string; isPartition: boolean }>(
      `select c.relname as name, quote_ident(a.attname) as column, c.relispartition as "isPartition"
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum = 1
       where c.relnamespace = 'svc'::regnamespace and c.relkind = 'r' and c.relname not in ('rate_limits', 'content_sweep')`,
    )

  it('are noted by every table, for each way to change a row', async () => {
    const unnoted = await service.sql(
      `select c.relname, way from pg_class c, unnest(array[4, 8, 16, 32]) as way
       where c.relnamespace = 'svc'::regnamespace and c.relkind in ('r', 'p') and c.relname not in ('rate_limits', 'content_sweep')
         and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgenabled = 'O' and t.tgtype & way <> 0
           and t.tgfoid = 'row_changes.note'::regproc and t.tgqual is null)`,
    )
    assert.deepEqual(unnoted, [])
  })

  it('name the table in which one row was changed, whichever it is', async () => {
    const changed: string[] = []
    for (const { name, column } of await tables()) {
      const rows = await service.sql(
        `update ${name} set ${column} = ${column} where ctid = (select ctid from ${name} limit 1) returning 1`,
      )
      if (rows.length > 0) changed.push(name)
      assert.deepEqual(await rowChanges(service), rows.length > 0 ? [`update ${name}`] : [], name)
    }
    for (const name of ['naics_codes', 'rooms', 'memberships', 'published_businesses', 'files', 'events'])
      assert.ok(
        changed.some(one => one.startsWith(name)),
        name,
      )
  })

  it('name a row that was removed, and an empty table that was emptied again', async () => {
    await service.sql('delete from naics_codes where code = (select max(code) from naics_codes)')
    assert.deepEqual(await rowChanges(service), ['delete naics_codes'])
    await service.sql('truncate mail_notices')
    assert.deepEqual(await rowChanges(service), ['truncate mail_notices'])
  })

  it('are those that a request made', async () => {
    const { client } = service.person('Nora')
    await client.createWorkspace({ name: 'A change' })
    const changes = await rowChanges(service)
    for (const one of ['insert workspaces', 'insert memberships']) assert.ok(changes.includes(one), one)
    assert.deepEqual(await rowChanges(service), [])
  })

  it('are none if the change was rolled back, or nothing was done but a lock', async () => {
    await service.sql('begin; update naics_codes set code = code; rollback')
    await service.sql('select from workspaces for update')
    assert.deepEqual(await rowChanges(service), [])
  })
})
