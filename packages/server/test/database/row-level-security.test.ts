import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { connectionConfig, type DatabaseRole } from '../../src/database/connections/connection.ts'
import type { RowScope } from '../../src/database/statement.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'

/** Tables that are not of one Workspace. What joins them must have a reason to. */
const sharedByAll = [
  'business_classifications',
  'business_fact_sources',
  'business_identifiers',
  'business_locations',
  'business_sources',
  'businesses',
  'migration_files',
  'migration_lock',
  'migrations',
  'naics_codes',
  'published_businesses',
  'rate_limits',
  'reference_data',
  'service_secrets',
  'sources',
  'users',
]

/** A row of each Workspace table; $1 is the Workspace, $2 its owner. A new table gets a line here. */
const seeds: Record<string, string> = {
  workspaces: `insert into workspaces (id, name, workspace_type, created_by) values ($1, 'A Workspace', 'team', $2)`,
  team_invitations: `insert into team_invitations (workspace_id, id, email, email_key, role, token_digest, invited_by, expires_at, created_at, updated_at) values ($1, gen_random_uuid(), 'zoe@example.com', 'zoe@example.com', 'member', sha256($1::uuid::text::bytea), $2, now(), now(), now())`,
  memberships: `insert into memberships (workspace_id, id, user_id, role, status) values ($1, gen_random_uuid(), $2, 'owner', 'active')`,
  api_keys: `insert into api_keys (workspace_id, id, owner_user_id, name, prefix, last4, secret_digest, scopes)
    values ($1, gen_random_uuid(), $2, 'A key', gen_random_uuid()::text, 'last', sha256(''), '{}')`,
  api_key_uses: `insert into api_key_uses (workspace_id, key_id, last_used_at)
    select workspace_id, id, now() from api_keys where workspace_id = $1 and $2::uuid is not null`,
  rooms: `insert into rooms (workspace_id, id, title, general_access, created_by, created_at, updated_at)
    values ($1, 'rom_0', 'A Room', 'invited_only', $2, now(), now())`,
  room_attachments: `insert into room_attachments (workspace_id, room_id, id, type, resource_id, attached_by, attached_at)
    values ($1, 'rom_0', gen_random_uuid(), 'business', 'biz_0', $2, now())`,
  room_participants: `insert into room_participants (workspace_id, room_id, id, user_id, as_guest, access_level, status, created_at, updated_at)
    values ($1, 'rom_0', gen_random_uuid(), $2, false, 'view', 'active', now(), now())`,
  receipts: `insert into receipts (workspace_id, receipt_id, command_id, operation, actor, resource_type, resource_id, occurred_at)
    values ($1, $2, $2, 'a_test', '{}', 'x', 'x', now())`,
  commands: `insert into commands (scope_id, principal, idempotency_key, command_id, operation, fingerprint, request_id, status, answer, receipt_workspace_id)
    values ($1::uuid, 'user:' || $2::uuid, 'a key for a test', $2, 'a_test', '\\x00', 'req_0', 200, '{}', (select workspace_id from receipts where receipt_id = $2))`,
  feed_positions: `insert into feed_positions (workspace_id, last_position) select $1, 1 where $2::uuid is not null`,
  events: `insert into events (workspace_id, position, id, type, feed, occurred_at, actor, subject, command_id, ordinal)
    values ($1, 1, 'evt_0', 'a.test', 'audit', now(), '{}', '{}', $2, 0)`,
  workspace_businesses: `insert into workspace_businesses (workspace_id, business_id, access_level, linked_by) values ($1, 'biz_0', 'edit', $2)`,
  workspace_business_profiles: `insert into workspace_business_profiles (workspace_id, business_id) select $1, 'biz_0' where $2::uuid is not null`,
  business_fact_statements: `insert into business_fact_statements (workspace_id, business_id, revision, fields, kind, recorded_by, recorded_at)
    values ($1, 'biz_0', 2, '{name}', 'statement', $2, now())`,
  business_observations: `insert into business_observations (workspace_id, business_id, id, key, value_type, value, observed_on, source, recorded_by)
    values ($1, 'biz_0', 'obs_0', 'employees', 'number', '7', '2026-01-01', '{}', $2)`,
}

interface Table {
  name: string
  scope: string
}

describe('row-level security', () => {
  let testDatabase: TestDatabase
  let admin: pg.Pool
  const here = { workspace_id: randomUUID(), user_id: randomUUID() }
  const there = { workspace_id: randomUUID(), user_id: randomUUID() }
  before(async () => {
    testDatabase = await createTestDatabase()
    admin = new pg.Pool({ ...testDatabase.address, options: '-c search_path=svc,public', max: 1 })
    await admin.query(
      `insert into businesses (id, name, name_folded) values ('biz_0', 'A Business', 'a business')`,
    )
    for (const { workspace_id, user_id } of [here, there]) {
      await admin.query(
        `insert into users (id, issuer, subject) values ($1::uuid, 'https://issuer.example', $1::uuid::text)`,
        [user_id],
      )
      for (const seed of Object.values(seeds)) await admin.query(seed, [workspace_id, user_id])
      // What a person does outside a Workspace has that person for its scope.
      await admin.query(seeds.commands ?? '', [user_id, user_id])
    }
  })
  after(async () => {
    await admin.end()
    await testDatabase.drop()
  })

  const tables = async () =>
    (
      await admin.query<{ name: string; secured: boolean }>(
        `select relname as name, relrowsecurity and relforcerowsecurity as secured from pg_class
         where relnamespace = 'svc'::regnamespace and relkind in ('r', 'p') order by relname`,
      )
    ).rows
  const workspaceTables = async (): Promise<Table[]> =>
    (await tables())
      .filter(({ name }) => !sharedByAll.includes(name))
      .map(({ name }) => ({
        name,
        scope: name === 'workspaces' ? 'id' : name === 'commands' ? 'scope_id' : 'workspace_id',
      }))

  /** Does something in a role, for somebody, and takes it back. */
  async function as<T>(
    role: DatabaseRole,
    scope: RowScope,
    work: (client: pg.Client) => Promise<T>,
  ): Promise<T> {
    const client = new pg.Client(connectionConfig(testDatabase.address, role))
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

  it('covers every table but those that are shared by all', async () => {
    const secured = (await tables()).filter(table => table.secured).map(table => table.name)
    const open = (await tables()).filter(table => !table.secured).map(table => table.name)
    assert.deepEqual(secured, Object.keys(seeds).sort())
    assert.deepEqual(open, sharedByAll)
  })

  for (const role of ['svc_reader', 'svc_writer'] as const) {
    it(`shows ${role} the rows of its Workspace, all of them and no others`, async () => {
      for (const { name, scope } of await workspaceTables())
        for (const whose of [here, there]) {
          const { rows } = await as(role, { ...whose, user_id: null }, client =>
            client.query<{ of: string }>(`select ${scope} as of from ${name}`),
          )
          assert.deepEqual(rows, [{ of: whose.workspace_id }], name)
        }
    })

    it(`shows ${role} nothing without a Workspace, in one that is not there, or after one`, async () => {
      for (const { name } of await workspaceTables())
        for (const workspace_id of [null, randomUUID()]) {
          const { rows } = await as(role, { workspace_id, user_id: null }, client =>
            client.query(`select from ${name}`),
          )
          assert.equal(rows.length, 0, name)
        }
      const left = await as(role, here, async client => {
        await client.query('commit')
        return client.query('select from receipts')
      })
      assert.equal(left.rows.length, 0)
    })

    it(`shows ${role} of a person's own: where that person belongs, and what that person did outside a Workspace`, async () => {
      const own: Record<string, string> = {
        commands: here.user_id,
        memberships: here.workspace_id,
        receipts: here.workspace_id,
        room_participants: here.workspace_id,
        workspaces: here.workspace_id,
      }
      for (const { name, scope } of await workspaceTables()) {
        const { rows } = await as(role, { workspace_id: null, user_id: here.user_id }, client =>
          client.query<{ of: string }>(`select ${scope} as of from ${name}`),
        )
        assert.deepEqual(rows, name in own ? [{ of: own[name] }] : [], name)
      }
    })
  }

  it('shows svc_owner, as which backups are made, every row, and lets it change only keys whose time is over', async () => {
    const elsewhere = { workspace_id: randomUUID(), user_id: null }
    for (const { name, scope } of await workspaceTables()) {
      const { rows } = await admin.query<{ count: number }>(`select count(*)::integer from ${name}`)
      const seen = await as('svc_owner', elsewhere, client => client.query(`select from ${name}`))
      assert.equal(seen.rowCount, rows[0]?.count, name)
      for (const statement of [`update ${name} set ${scope} = ${scope}`, `delete from ${name}`])
        assert.equal((await as('svc_owner', elsewhere, client => client.query(statement))).rowCount, 0, name)
    }
    await admin.query('update commands set expires_at = now() where scope_id = $1', [here.workspace_id])
    const reaped = await as('svc_owner', elsewhere, client => client.query('delete from commands'))
    assert.equal(reaped.rowCount, 1)
    await admin.query('update commands set expires_at = null')
  })

  it('keeps svc_writer from putting a row into another Workspace, or moving one there', async () => {
    for (const { name, scope } of await workspaceTables()) {
      const { rows } = await admin.query<{ row: object }>(
        `select to_jsonb(t) as row from ${name} t where ${scope} = $1`,
        [there.workspace_id],
      )
      // What PostgreSQL works out by itself cannot be put in.
      const given = await admin.query<{ columns: string }>(
        `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [name],
      )
      const columns = given.rows[0]?.columns ?? ''
      const copy = as('svc_writer', { ...here, user_id: null }, client =>
        client.query(
          `insert into ${name} (${columns}) select ${columns} from jsonb_populate_record(null::svc.${name}, $1)`,
          [rows[0]?.row],
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
    for (const { name, scope } of await workspaceTables())
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
    const { rows } = await admin.query<{ prefix: string }>('select prefix from api_keys')
    for (const { prefix } of rows) {
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
