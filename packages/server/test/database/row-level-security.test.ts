import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { scopes } from '@wbs/contract/scopes'
import pg from 'pg'
import { connectionConfig, type DatabaseRole } from '../../src/database/connections/connection.ts'
import type { RowScope } from '../../src/database/statement.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { rowChanges } from '../harness/transactions/row-changes.ts'
import { mutations, performanceOf, type NamedMutation } from '../operations/performing.ts'
import type { MakeInput } from '../operations/sample.ts'
import { samples } from '../operations/samples.ts'
import { makeWorld, restore, type World } from '../operations/world.ts'

/** Tables that do not belong to one Workspace. Add to them only with a reason. */
const sharedByAll = [
  'business_classifications',
  'business_fact_sources',
  'business_identifiers',
  'business_locations',
  'business_sources',
  'businesses',
  // Where the sweeper of content is.
  'content_sweep',
  'history_periods',
  'migration_files',
  'migration_lock',
  'migrations',
  'naics_codes',
  'published_businesses',
  'rate_limits',
  'reference_data',
  // How far replicas are.
  'replication_beat',
  'service_secrets',
  'sources',
  'users',
  // Visitors have no Workspace; every statement on it names a digest.
  'visitor_valuations',
]

/** The rows that a person sees outside a Workspace: a condition for each table, in which $1 is the person. */
const ownRows: Record<string, string> = {
  commands: 'scope_id = $1',
  memberships: 'user_id = $1',
  public_changes: 'user_id = $1',
  receipts: `command_id in (select command_id from commands where scope_id = $1) and workspace_id in (
    select workspace_id from memberships where user_id = $1 and status = 'active'
    union select workspace_id from room_participants where user_id = $1 and status = 'active' and as_guest)`,
  room_participants: 'user_id = $1',
  workspaces: `id in (select workspace_id from memberships where user_id = $1 and status = 'active')`,
}

interface Table {
  name: string
  scope: string
}

/** A change, by one of the inputs of its sample. */
interface Change {
  operation: NamedMutation
  input: MakeInput
}

const allChanges: readonly Change[] = mutations.flatMap(operation =>
  [samples[operation.name].input, ...Object.values(samples[operation.name].others ?? {})].map(input => ({
    operation,
    input,
  })),
)

/** Makes changes in a Workspace, and gives those that left the first rows in a table. */
async function carryOut(world: World, changes: readonly Change[]): Promise<Change[]> {
  const filled = new Set<string>()
  const filling: Change[] = []
  await rowChanges(world.service)
  for (const { operation, input } of changes) {
    const { status, body } = await (await performanceOf(world, operation, randomUUID(), input)).ask()
    assert.ok(status < 300, `${operation.name}: ${JSON.stringify(body)}`)
    await restore(world)
    const made = (await rowChanges(world.service)).filter(change => change.startsWith('insert '))
    if (made.some(change => !filled.has(change))) filling.push({ operation, input })
    for (const change of made) filled.add(change)
  }
  return filling
}

/** Leaves the rows in a Workspace that no sample leaves. */
async function leaveOtherRows(world: World): Promise<void> {
  const { workspace_id, people, service } = world
  await service.sql(
    `insert into file_pages (workspace_id, file_version_id, page, text)
     select workspace_id, id, 1, 'text' from file_versions where workspace_id = $1 limit 1`,
    [workspace_id],
  )
  // No jobs run here.
  await service.sql(
    `insert into mail_notices (workspace_id, job_id, sender_user_id, recipient_user_id, about, things, is_held, noted_at)
     values ($1, gen_random_uuid(), $2, $2, 'task', 1, false, now())`,
    [workspace_id, people.owner.user_id],
  )
  await service.sql(
    `insert into content_removals (workspace_id, sha256, began_at, ended_at) values ($1, repeat('0', 64), now(), now())`,
    [workspace_id],
  )
  const { file } = await world.us.createTextFile({ name: 'Notes.md', content: '# Notes' })
  const { url } = await world.us.createDownloadLink({ file_id: file.file_id })
  assert.equal((await fetch(String(url))).status, 200)
  const { secret } = await service.apiKey(workspace_id, people.owner, scopes)
  await service.client({ api_key: secret }).getMe({})
  await service.flushKeyUses()
}

describe('row-level security', () => {
  let service: TestService
  let tables: Table[]
  let here: { workspace_id: string; user_id: string }
  let there: { workspace_id: string; user_id: string }
  before(async () => {
    service = await startTestService()
    const worlds = await Promise.all([makeWorld(service), makeWorld(service)])
    // The other Workspace only needs the changes that leave rows in a table.
    let changes = allChanges
    for (const world of worlds) {
      changes = await carryOut(world, changes)
      await leaveOtherRows(world)
    }
    const [first, second] = worlds.map(({ workspace_id, people }) => ({
      workspace_id,
      user_id: people.owner.user_id,
    }))
    assert.ok(first && second)
    here = first
    there = second
    tables = await workspaceTables()
  })
  after(() => service.close())

  const allTables = () =>
    service.sql<{ name: string; secured: boolean }>(
      `select relname as name, relrowsecurity and relforcerowsecurity as secured from pg_class
       where relnamespace = 'svc'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`,
    )
  const workspaceTables = async (): Promise<Table[]> =>
    (await allTables())
      .filter(({ name }) => !sharedByAll.includes(name))
      .map(({ name }) => ({
        name,
        scope: name === 'workspaces' ? 'id' : name === 'commands' ? 'scope_id' : 'workspace_id',
      }))

  /** Does something in a role and a row scope, and rolls it back. */
  async function as<T>(
    role: DatabaseRole,
    scope: RowScope,
    work: (client: pg.Client) => Promise<T>,
  ): Promise<T> {
    const client = new pg.Client(connectionConfig(service.testDatabase.address, role))
    await client.connect()
    try {
      await client.query('begin')
      await client.query(
        `select set_config('svc.workspace_id', $1, true), set_config('svc.user_id', $2, true)`,
        [scope.workspace_id ?? '', scope.user_id ?? ''],
      )
      return await work(client)
    } finally {
      await client.end()
    }
  }

  /** The rows of every Workspace table that a role sees. */
  const seenAs = (role: DatabaseRole, scope: RowScope) =>
    as(role, scope, async client => {
      const seen: Record<string, string[]> = {}
      for (const { name } of tables) seen[name] = textsOf((await client.query(textOfRows(name))).rows)
      return seen
    })

  /** The rows of each table that meet its condition. A table without a condition has none. */
  async function rowsWhere(conditions: Record<string, string>, value: string) {
    const found: Record<string, string[]> = {}
    for (const { name } of tables)
      found[name] =
        name in conditions
          ? textsOf(await service.sql(`${textOfRows(name)} where ${conditions[name]}`, [value]))
          : []
    return found
  }
  const rowsOf = (workspace_id: string) =>
    rowsWhere(Object.fromEntries(tables.map(({ name, scope }) => [name, `${scope} = $1`])), workspace_id)

  const textOfRows = (name: string) => `select t::text as row from ${name} t`
  const textsOf = (rows: readonly { row?: string }[]) => rows.map(({ row }) => row ?? '').sort()

  it('covers every table but those that are shared by all', async () => {
    const open = (await allTables()).filter(table => !table.secured).map(table => table.name)
    assert.deepEqual(open, sharedByAll)
  })

  it('is tested on rows of both Workspaces in every table, which the samples leave', async () => {
    for (const { workspace_id } of [here, there])
      for (const [name, rows] of Object.entries(await rowsOf(workspace_id)))
        assert.ok(rows.length > 0, `no sample leaves a row in ${name}`)
  })

  for (const role of ['svc_reader', 'svc_writer'] as const) {
    it(`shows ${role} the rows of its Workspace, all of them and no others`, async () => {
      for (const { workspace_id } of [here, there])
        assert.deepEqual(await seenAs(role, { workspace_id, user_id: null }), await rowsOf(workspace_id))
    })

    it(`shows ${role} nothing without a Workspace, in one that is not there, or after one`, async () => {
      for (const workspace_id of [null, randomUUID()])
        for (const [name, rows] of Object.entries(await seenAs(role, { workspace_id, user_id: null })))
          assert.deepEqual(rows, [], name)
      const left = await as(role, here, async client => {
        await client.query('commit')
        return client.query('select from receipts')
      })
      assert.equal(left.rows.length, 0)
    })

    it(`shows ${role} of a person's own: where that person belongs, and what that person did outside a Workspace`, async () => {
      for (const { user_id } of [here, there]) {
        const own = await rowsWhere(ownRows, user_id)
        for (const name of Object.keys(ownRows)) assert.ok((own[name] ?? []).length > 0, name)
        assert.deepEqual(await seenAs(role, { workspace_id: null, user_id }), own)
      }
    })
  }

  it('shows svc_owner, as which backups are made, every row, and lets it change none', async () => {
    const elsewhere = { workspace_id: randomUUID(), user_id: null }
    for (const { name, scope } of tables) {
      const rows = await service.sql(`select from ${name}`)
      const seen = await as('svc_owner', elsewhere, client => client.query(`select from ${name}`))
      assert.equal(seen.rowCount, rows.length, name)
      for (const statement of [`update ${name} set ${scope} = ${scope}`, `delete from ${name}`])
        assert.equal((await as('svc_owner', elsewhere, client => client.query(statement))).rowCount, 0, name)
    }
  })

  it('keeps svc_writer from putting a row into another Workspace, or moving one there', async () => {
    for (const { name, scope } of tables) {
      const [row] = await service.sql<{ row: object }>(
        `select to_jsonb(t) as row from ${name} t where ${scope} = $1 limit 1`,
        [there.workspace_id],
      )
      // Generated columns cannot be inserted.
      const [given] = await service.sql<{ columns: string }>(
        `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [name],
      )
      const columns = given?.columns ?? ''
      const copy = as('svc_writer', { ...here, user_id: null }, client =>
        client.query(
          `insert into ${name} (${columns}) select ${columns} from jsonb_populate_record(null::svc.${name}, $1)`,
          [row?.row],
        ),
      )
      await assert.rejects(copy, { code: '42501' }, name)
      const move = as('svc_writer', { ...here, user_id: null }, client =>
        client.query(`update ${name} set ${scope} = $1`, [there.workspace_id]),
      )
      await assert.rejects(move, { code: '42501' }, name)
    }
  })

  it('keeps svc_writer from changing or removing a row of another Workspace', async () => {
    for (const { name, scope } of tables)
      for (const statement of [
        `update ${name} set ${scope} = ${scope} where ${scope} = $1`,
        `delete from ${name} where ${scope} = $1`,
      ]) {
        const changed = await as('svc_writer', { ...here, user_id: null }, client =>
          client.query(statement, [there.workspace_id]),
        ).catch((error: unknown) => ({ rowCount: 0, error }))
        if ('error' in changed) assert.equal((changed.error as { code: string }).code, '42501', statement)
        assert.equal(changed.rowCount, 0, statement)
      }
  })

  it('finds an API key by its prefix without a Workspace, and by nothing else', async () => {
    const keys = await service.sql<{ prefix: string }>('select prefix from api_keys')
    assert.ok(keys.length > 0)
    for (const { prefix } of keys) {
      const found = await as('svc_reader', { workspace_id: null, user_id: null }, client =>
        client.query('select from find_api_key_by_prefix($1)', [prefix]),
      )
      assert.equal(found.rows.length, 1)
    }
    for (const other of ['', '%', 'gen']) {
      const found = await as('svc_reader', { workspace_id: null, user_id: null }, client =>
        client.query('select from find_api_key_by_prefix($1)', [other]),
      )
      assert.equal(found.rows.length, 0)
    }
  })
})
