import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { statements } from './all-statements.ts'
import { conditionsOf, planOf, type PlanNode } from './statement-plan.ts'

/** Statements that change rows with a revision and do not name the revision that was read, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  api_keys_revoke_by_owner: 'ends all keys of a person, whatever they were changed to',
  api_keys_revoke_by_name: 'ends the keys with a name, whatever they were changed to',
  approvals_held_release: 'acts on the approvals that it finds held, with their Room locked alone',
  approvals_open_cancel: 'acts on the approvals that it finds open, with their Room locked alone',
  approval_sent_save: 'is waited for, and its caller fails without a row; what is sent has no new revision',
  list_count_save:
    'stores what was counted with the version that it is of, which no change reads to write it again',
  room_files_activate: 'acts on the Files that it finds pending in Rooms',
}

// A lock that was forgotten would otherwise be a lost update that nobody notices.
describe('every change of a row that has a revision names the one that was read, and fails if no row has it', () => {
  let testDatabase: TestDatabase
  let client: pg.Client
  let columns: Map<string, string>
  before(async () => {
    testDatabase = await createTestDatabase()
    // As the superuser, so that plans have no conditions of policies.
    client = new pg.Client({
      ...testDatabase.address,
      options: '-c search_path=svc,public -c plan_cache_mode=force_generic_plan',
    })
    await client.connect()
    columns = await revisionColumns()
  })
  after(async () => {
    await client.end()
    await testDatabase.drop()
  })

  it('knows the tables', () => {
    for (const table of ['rooms', 'files', 'lists', 'workspaces', 'workspace_business_profiles'])
      assert.ok(columns.has(table), table)
    assert.equal(columns.get('lists'), 'version')
  })

  for (const { name, text, access } of statements)
    if (access === 'write' && /\bupdate\b/.test(text))
      it(name, async () => {
        const faults = await faultsOf(name, text)
        if (name in exceptions) assert.notDeepEqual(faults, [], 'it is no exception any more')
        else assert.deepEqual(faults, [])
      })

  it('has no exception for a statement that does not exist', () => {
    const names = new Set(statements.map(({ name }) => name))
    assert.deepEqual(
      Object.keys(exceptions).filter(name => !names.has(name)),
      [],
    )
  })

  const loud = (change: string) =>
    `with saved as (${change} returning 1) select case when count(*) = 0 then revision_missed() end from saved`
  const planted: [string, string, string[]][] = [
    [
      'a change without the revision',
      loud('update rooms set title = $3, revision = revision + 1 where workspace_id = $1 and id = $2'),
      ['rooms without its revision'],
    ],
    [
      'one whose missing row is not noticed',
      'update rooms set title = $3 where workspace_id = $1 and id = $2 and revision = $4',
      ['rooms without a failure'],
    ],
    [
      'a condition on the revision of another table',
      loud(
        'update rooms r set title = f.name from files f where r.workspace_id = $1 and f.workspace_id = $1 and f.revision = $2',
      ),
      ['rooms without its revision'],
    ],
    [
      'a change on conflict',
      loud(
        'insert into workspace_business_profiles (workspace_id, business_id, revision) values ($1, $2, $3) on conflict (workspace_id, business_id) do update set notes = $4',
      ),
      ['workspace_business_profiles without its revision'],
    ],
    [
      'nothing in a change of another table',
      'update room_attachments set type = $2 where workspace_id = $1',
      [],
    ],
    [
      'nothing in a change that names it and fails',
      loud('update lists set name = $3 where workspace_id = $1 and id = $2 and version = $4'),
      [],
    ],
  ]
  for (const [title, text, faults] of planted)
    it(`finds ${title}`, async () => {
      assert.deepEqual(await faultsOf('planted', text), faults)
    })

  async function faultsOf(name: string, text: string): Promise<string[]> {
    return changesIn(await planOf(client, name, text)).flatMap(({ table, conditions }) => {
      const column = columns.get(table)
      if (column === undefined) return []
      return [
        ...(conditions.includes(`.${column} = `) ? [] : [`${table} without its revision`]),
        ...(text.includes('revision_missed()') ? [] : [`${table} without a failure`]),
      ]
    })
  }

  /** The column of each table whose rows have a revision. Where it is part of the key, each revision has a row of its own. */
  async function revisionColumns(): Promise<Map<string, string>> {
    const { rows } = await client.query<{ table: string; column: string }>(
      `select c.relname as table, a.attname as column
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'svc'::regnamespace and c.relkind in ('r', 'p') and a.attname in ('revision', 'version')
         and a.atttypid = 'integer'::regtype
         and not exists (select from pg_index x where x.indrelid = c.oid and x.indisprimary and a.attnum = any (x.indkey))`,
    )
    return new Map(rows.map(row => [row.table, row.column]))
  }
})

/** The updates in a plan, each with the conditions on its own table. */
function changesIn(node: PlanNode): { table: string; conditions: string }[] {
  const { Alias: alias, 'Relation Name': table = '' } = node
  const isUpdate = node['Node Type'] === 'ModifyTable' && node.Operation === 'Update'
  const isUpsert = node['Conflict Resolution'] === 'UPDATE'
  const below = node.Plans ?? []
  const changed = isUpdate
    ? [{ table, conditions: below.map(part => conditionsOn(part, alias)).join(' ') }]
    : isUpsert
      ? [{ table, conditions: node['Conflict Filter'] ?? '' }]
      : []
  return [...changed, ...below.flatMap(changesIn)]
}

/** The conditions of a plan in which a table with an alias stands, written as `.column = …` for this table alone. */
function conditionsOn(node: PlanNode, alias: string | undefined): string {
  const own = conditionsOf(node).match(new RegExp(`\\b${alias}\\.\\w+ = `, 'g')) ?? []
  return [...own, ...(node.Plans ?? []).map(part => conditionsOn(part, alias))].join(' ')
}
