import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { functionsAcross, ownedBy, ownTables, sharedTables, uniqueAcross } from './placement.ts'

describe('the rows of a Workspace can be moved to another database', () => {
  let testDatabase: TestDatabase
  let client: pg.Client
  /** The column that names the Workspace, of each table with rows of Workspaces. */
  let columns: Map<string, string>
  before(async () => {
    testDatabase = await createTestDatabase()
    client = new pg.Client({ ...testDatabase.address, options: '-c search_path=svc,public' })
    await client.connect()
    columns = new Map(
      (
        await rows<{ table: string; column: string }>(`
        select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = 'svc'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and a.attname = 'workspace_id' and not a.attisdropped`)
      ).map(({ table, column }) => [table, column]),
    )
    for (const [table, column] of Object.entries(ownedBy)) columns.set(table, column)
    assert.ok(columns.size > 30)
  })
  after(async () => {
    await client.end()
    await testDatabase.drop()
  })

  const rows = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await client.query<Row>(text, values)).rows

  it('every table has rows of Workspaces, is shared, or belongs to one database', async () => {
    const tables = await rows<{ table: string }>(`
      select relname as table from pg_class
      where relnamespace = 'svc'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`)
    const placed = [...columns.keys(), ...sharedTables, ...Object.keys(ownTables)].sort()
    assert.deepEqual(
      tables.map(({ table }) => table),
      placed,
    )
  })

  it('is unique within the Workspace what is unique, but for those with a reason', async () => {
    assert.deepEqual(await uniqueWithoutColumn(), Object.keys(uniqueAcross).sort())
  })

  it('every foreign key stays within the Workspace, or leads to a shared table', async () => {
    assert.deepEqual(await keysAcross(), [])
  })

  it('every function that reads them has the Workspace given or set, but for those with a reason', async () => {
    const functions = await rows<{ name: string; args: string; body: string }>(`
      select p.proname as name, pg_get_function_identity_arguments(p.oid) as args, pg_get_functiondef(p.oid) as body
      from pg_proc p where p.pronamespace = 'svc'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
      order by 1`)
    const reading = functions.filter(({ body }) =>
      [...columns.keys()].some(table =>
        new RegExp(`\\b(?:from|join|into|update)\\s+(?:svc\\.)?${table}\\b`).test(body),
      ),
    )
    assert.ok(reading.length > 3)
    const across = reading
      .filter(({ args }) => !/\bworkspace(?:_id)? uuid\b/.test(args))
      .map(({ name }) => name)
    assert.deepEqual(across, Object.keys(functionsAcross).sort())
  })

  it('no value of them comes from a sequence, which another database has too', async () => {
    const found = await rows<{ table: string }>(`
      select c.relname as table from pg_class s join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i')
        join pg_class c on c.oid = d.refobjid
      where s.relkind = 'S' and c.relnamespace = 'svc'::regnamespace`)
    assert.deepEqual(
      found.filter(({ table }) => columns.has(table)),
      [],
    )
  })

  const faults: [string, string, () => Promise<unknown>, unknown][] = [
    [
      'an index that is unique over all Workspaces',
      'create unique index goals_planted on goals (title)',
      () => uniqueWithoutColumn(),
      [...Object.keys(uniqueAcross), 'goals_planted'].sort(),
    ],
    [
      'a foreign key to a row of another Workspace',
      `alter table goals add column planted text, add unique (id, workspace_id);
       alter table tasks add column planted text, add constraint planted foreign key (planted, workspace_id) references goals (id, workspace_id);
       alter table tasks drop constraint planted; alter table goals add constraint goals_of_title unique (title);
       alter table tasks add constraint planted foreign key (planted) references goals (title)`,
      () => keysAcross(),
      ['planted'],
    ],
  ]
  for (const [title, fault, look, expected] of faults)
    it(`finds ${title}`, async () => {
      await client.query('begin')
      try {
        await client.query(fault)
        assert.deepEqual(await look(), expected)
      } finally {
        await client.query('rollback')
      }
    })

  async function uniqueWithoutColumn(): Promise<string[]> {
    const indexes = await rows<{ name: string; table: string; columns: string[] }>(`
      select i.relname as name, t.relname as table,
             array(select a.attname::text from pg_attribute a where a.attrelid = t.oid and a.attnum = any (x.indkey)) as columns
      from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
      where t.relnamespace = 'svc'::regnamespace and x.indisunique and not t.relispartition order by 1`)
    return indexes
      .filter(({ table, columns: own }) => columns.has(table) && !own.includes(columns.get(table) as string))
      .map(({ name }) => name)
  }

  /** Foreign keys that may lead out of the Workspace. */
  async function keysAcross(): Promise<string[]> {
    return (await foreignKeys())
      .filter(({ from, to, pairs }) => {
        if (!columns.has(to)) return columns.has(from) ? !sharedTables.includes(to) : false
        return !pairs.includes(`${columns.get(from)}=${columns.get(to)}`)
      })
      .map(({ name }) => name)
  }

  const foreignKeys = () =>
    rows<{ name: string; from: string; to: string; pairs: string[] }>(`
      select k.conname as name, f.relname as from, t.relname as to,
             array(select fa.attname || '=' || ta.attname from unnest(k.conkey, k.confkey) as pair (f, t)
                     join pg_attribute fa on fa.attrelid = k.conrelid and fa.attnum = pair.f
                     join pg_attribute ta on ta.attrelid = k.confrelid and ta.attnum = pair.t) as pairs
      from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
      where k.contype = 'f' and k.connamespace = 'svc'::regnamespace and not f.relispartition and not t.relispartition
      order by 1`)
})
