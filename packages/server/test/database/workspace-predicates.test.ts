import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { statements } from './all-statements.ts'
import { conditionsOf, planOf, type PlanNode } from './statement-plan.ts'
import { statementsAcross } from './workspace-rows/placement.ts'

// Row-level security would hide a missing condition from every other test.
describe('every statement on a Workspace table has a condition on the Workspace', () => {
  let testDatabase: TestDatabase
  let client: pg.Client
  let scopes: Map<string, string>
  before(async () => {
    testDatabase = await createTestDatabase()
    // As the superuser, so that plans have no conditions of policies.
    client = new pg.Client({
      ...testDatabase.address,
      options: '-c search_path=svc,public -c plan_cache_mode=force_generic_plan',
    })
    await client.connect()
    scopes = await scopeColumns()
  })
  after(async () => {
    await client.end()
    await testDatabase.drop()
  })

  for (const { name, text } of statements)
    it(name, async () => {
      const unscoped = await unscopedScans(name, text)
      if (name in statementsAcross) assert.notDeepEqual(unscoped, [], 'it is no exception any more')
      else assert.deepEqual(unscoped, [], `${name} reads these tables without a condition on workspace_id`)
    })

  const faults: [string, string, string[]][] = [
    ['no condition', 'select title from rooms where id = $1', ['rooms']],
    [
      'a joined table without one',
      `select r.title from rooms r join room_participants p on p.room_id = r.id where r.workspace_id = $1`,
      ['room_participants'],
    ],
    [
      'a part of a statement without one',
      `select r.title, (select count(*) from room_participants p where p.room_id = r.id) from rooms r where r.workspace_id = $1`,
      ['room_participants'],
    ],
    ['a change without one', 'update rooms set title = $1 where id = $2', ['rooms']],
    [
      'a command without its scope',
      'select answer from commands where idempotency_key = $1',
      ['commands_0', 'commands_1'],
    ],
    [
      'nothing, where one follows from the other',
      `select r.title from rooms r join room_participants p on p.workspace_id = r.workspace_id and p.room_id = r.id
       where r.workspace_id = $1`,
      [],
    ],
  ]
  for (const [title, text, tables] of faults)
    it(`finds ${title}`, async () => {
      assert.deepEqual(await unscopedScans('planted', text), tables)
    })

  /** The column of each Workspace table that names the Workspace. */
  async function scopeColumns(): Promise<Map<string, string>> {
    const { rows } = await client.query<{ table: string; column: string }>(
      `select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'svc'::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped
         and (a.attname in ('workspace_id', 'scope_id') or c.relname = 'workspaces' and a.attname = 'id')`,
    )
    assert.ok(rows.length > 10)
    return new Map(rows.map(row => [row.table, row.column]))
  }

  const unscopedScans = async (name: string, text: string): Promise<string[]> =>
    unscoped(await planOf(client, name, text), '')

  /** The tables that a plan, from a node down, reads without a condition on the Workspace. */
  function unscoped(node: PlanNode, conditionsAbove: string): string[] {
    const conditions = conditionsOf(node) + conditionsAbove
    const table = node['Relation Name']
    const column = table === undefined ? undefined : scopes.get(table)
    const isRead = node['Node Type'] !== 'ModifyTable' && table !== undefined && column !== undefined
    const isScoped = () => new RegExp(`\\b${node.Alias}\\.${column}\\b`).test(conditions)
    return [
      ...(isRead && !isScoped() ? [table] : []),
      ...(node.Plans ?? []).flatMap(part => unscoped(part, conditions)),
    ]
  }
})

describe('no statement takes a shared row lock', () => {
  for (const { name, text } of statements)
    it(name, () => {
      // Shared row locks starve an exclusive one; database/locks.ts has locks for this.
      assert.doesNotMatch(text, /\bfor\s+(key\s+)?share\b/i)
    })
})
