import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import serverPackage from '../../../package.json' with { type: 'json' }
import { NewerDatabase, UnsupportedDatabase } from '../../../src/database/migrating/fitting-version.ts'
import { migrate } from '../../../src/database/migrating/migrate.ts'
import { selfTest } from '../../../src/database/self-test.ts'
import { eventually } from '../../harness/eventually.ts'
import { migrationFolder } from './migration-folder.ts'
import { startPrivateServer, type PrivateServer } from '../embedded/private-server.ts'

const source = new URL('../../../src/database/', import.meta.url)
const shipped = (await readdir(new URL('migrations/', source))).filter(name => name.endsWith('.sql')).sort()

/** The level of this version: the number of its last migration. */
const level = shipped.at(-1)?.slice(0, 4) ?? ''

describe('migrating', () => {
  let server: PrivateServer
  let count = 0
  let template: Promise<string> | undefined
  before(async () => void (server = await startPrivateServer({ fsync: 'off' })))
  after(() => server.close())

  async function emptyDatabase(options = ''): Promise<string> {
    const name = `empty_${++count}`
    await server.sql(`create database ${name} ${options} strategy file_copy`)
    return name
  }

  /** A copy of a database that `migrate` made. */
  async function migratedDatabase(): Promise<string> {
    template ??= emptyDatabase().then(async database => {
      await migrate(server.address(database))
      return database
    })
    return emptyDatabase(`template ${await template}`)
  }

  const applied = async (database: string) =>
    (
      await server.sql<{ name: string }>(
        `select name from svc.migrations join svc.migration_files using (name) order by name`,
        database,
      )
    ).map(row => `${row.name}.sql`)

  /** How many connections migrate, and how many of them wait for a lock. */
  const connections = async (database: string, where = 'true') =>
    (
      await server.sql(
        `select from pg_stat_activity
         where datname = '${database}' and application_name = 'wbs svc_owner' and ${where}`,
      )
    ).length
  const waiting = (database: string) => connections(database, `wait_event_type = 'Lock'`)

  // The first of these finds no roles either.
  for (const nodes of [8, 2, 1])
    it(`an empty database by ${nodes} at once applies each file once`, async () => {
      const database = await emptyDatabase()
      await Promise.all(Array.from({ length: nodes }, () => migrate(server.address(database))))
      assert.deepEqual(await applied(database), shipped)
      await selfTest(server.address(database))
    })

  it('two databases of one server at once makes the roles of both', async () => {
    for (const role of ['svc_owner', 'svc_writer', 'svc_reader'])
      await server.sql(`alter role ${role} rename to earlier_${role}`)
    const databases = [await emptyDatabase(), await emptyDatabase()]
    await Promise.all(databases.map(database => migrate(server.address(database))))
    for (const database of databases) assert.deepEqual(await applied(database), shipped)
  })

  it('again changes nothing', async () => {
    const database = await migratedDatabase()
    const [before] = await server.sql(
      `select md5(string_agg(m::text, '' order by name)) from svc.migrations m`,
      database,
    )
    await Promise.all([migrate(server.address(database)), migrate(server.address(database))])
    const [now] = await server.sql(
      `select md5(string_agg(m::text, '' order by name)) from svc.migrations m`,
      database,
    )
    assert.deepEqual(now, before)
  })

  it('goes on from where an earlier version stopped, and leaves nothing of a file that fails', async context => {
    const database = await migratedDatabase()
    const { url, write } = await migrationFolder(context)
    await migrate(server.address(database), url)
    await write('9001_more.sql', 'create table more (id integer); insert into nowhere values (1)')
    await assert.rejects(migrate(server.address(database), url), { code: '42P01' })
    assert.deepEqual(await applied(database), shipped)
    assert.deepEqual(await server.sql(`select to_regclass('svc.more') as more`, database), [{ more: null }])
    await write('9001_more.sql', 'create table more (id integer)')
    await migrate(server.address(database), url)
    assert.deepEqual(await applied(database), [...shipped, '9001_more.sql'])
  })

  it('notes with which versions each can be run, and which applied it', async context => {
    const database = await migratedDatabase()
    const { url, write } = await migrationFolder(context)
    await write('9001_added.sql', `-- Runs with versions from ${level} on.\ncreate table added (id integer)`)
    await write('9002_taken_away.sql', '-- Runs with no earlier version.\ndrop table added')
    await migrate(server.address(database), url)
    assert.deepEqual(
      await server.sql(
        `select name, runs_with, service_version from svc.migration_files where name > '9' order by name`,
        database,
      ),
      [
        { name: '9001_added', runs_with: Number(level), service_version: serverPackage.version },
        { name: '9002_taken_away', runs_with: null, service_version: serverPackage.version },
      ],
    )
  })

  it('reads no statement on earlier versions that is worded otherwise', async context => {
    const { url, write } = await migrationFolder(context)
    await write('9001_added.sql', '-- Runs with 0015\ncreate table added (id integer)')
    await assert.rejects(
      migrate(server.address(await emptyDatabase()), url),
      /9001_added must say "-- Runs with/,
    )
  })

  it('needs a statement on earlier versions in each file since the one that began with it', async () => {
    for (const name of shipped.filter(one => one >= '0015')) {
      const [first = ''] = (await readFile(new URL(`migrations/${name}`, source), 'utf8')).split('\n')
      const before = String(Number(name.slice(0, 4)) - 1).padStart(4, '0')
      const [, said] = /^-- Runs with (versions from \d{4} on|no earlier version)\.$/.exec(first) ?? []
      const expected = `the first line of ${name} must be "-- Runs with versions from ${before} on.", with this number or a lower one, or "-- Runs with no earlier version."`
      assert.ok(said, expected)
      assert.ok(said === 'no earlier version' || /\d{4}/.exec(said)![0] <= before, expected)
    }
  })

  it('leaves newer migrations alone if this version can run with all of them', async context => {
    const database = await migratedDatabase()
    const { url, write } = await migrationFolder(context)
    await write(
      '9001_added.sql',
      `-- Runs with versions from ${level} on.
       create table added (id integer);
       create function added_up() returns bigint language sql security definer as 'select count(*) from svc.added'`,
    )
    await write('9002_indexed.sql', `-- Runs with versions from 0015 on.\ncreate index on added (id)`)
    await migrate(server.address(database), url)
    const before = await applied(database)
    const { newerDefinerFunctions } = await migrate(server.address(database))
    assert.deepEqual(await applied(database), before)
    assert.ok(newerDefinerFunctions.includes('added_up'))
    await selfTest(server.address(database), newerDefinerFunctions)
    await server.sql(
      `create function svc.later() returns bigint language sql security definer as 'select count(*) from svc.added'`,
      database,
    )
    await assert.rejects(
      selfTest(server.address(database), newerDefinerFunctions),
      /function later runs with/,
    )
  })

  for (const [what, ...statements] of [
    ['that says so', '-- Runs with no earlier version.'],
    ['that says nothing', '-- A table.'],
    ['made for later versions only', '-- Runs with versions from 9000 on.'],
    [
      'that runs with one that does not',
      '-- Runs with no earlier version.',
      `-- Runs with versions from 9001 on.`,
    ],
    ['before one that does', '-- Runs with no earlier version.', `-- Runs with versions from ${level} on.`],
  ] as const)
    it(`refuses what a newer version did and this one cannot run with: a migration ${what}`, async context => {
      const database = await migratedDatabase()
      const { url, write } = await migrationFolder(context)
      for (const [at, statement] of statements.entries())
        await write(
          `900${at + 1}_from_the_future.sql`,
          `${statement}\ncreate table future_${at} (id integer)`,
        )
      await migrate(server.address(database), url)
      await server.sql(`update svc.migration_files set service_version = '7.0.0' where name > '9'`, database)
      await assert.rejects(
        migrate(server.address(database)),
        error =>
          error instanceof NewerDatabase &&
          /^The database was upgraded by version 7\.0\.0 of the service.*900\d_from_the_future.*start version 7\.0\.0 or a newer one, or restore the backup/.test(
            error.message,
          ),
      )
    })

  it('says to start the previous version if the database does not name it', async context => {
    const database = await migratedDatabase()
    const { url, write } = await migrationFolder(context)
    await write('9001_from_the_future.sql', 'create table future (id integer)')
    await migrate(server.address(database), url)
    await assert.rejects(
      migrate(server.address(database)),
      error =>
        error instanceof NewerDatabase &&
        /by a newer version of the service.*9001_from_the_future.*start that version or one after it/.test(
          error.message,
        ),
    )
  })

  it('finds what a newer node did while it waited for it', async context => {
    const database = await migratedDatabase()
    const { url, write } = await migrationFolder(context)
    const hold = await server.lock(database, 4711)
    await write(
      '9001_slow.sql',
      `-- Runs with versions from ${level} on.\nselect pg_advisory_xact_lock(4711)`,
    )
    const newer = migrate(server.address(database), url)
    await eventually(async () => (await waiting(database)) === 1)
    const older = migrate(server.address(database))
    await eventually(async () => (await waiting(database)) === 2)
    await hold.letGo()
    await Promise.all([newer, older])
    assert.ok((await applied(database)).includes('9001_slow.sql'))
  })

  it('outlives the loss of a connection that has nothing to do', async context => {
    const database = await migratedDatabase()
    const { url, write } = await migrationFolder(context)
    const hold = await server.lock(database, 4711)
    await write('9001_slow.sql', 'select pg_advisory_xact_lock(4711)')
    const migrated = migrate(server.address(database), url)
    await eventually(async () => (await waiting(database)) === 1)
    const lost = await server.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = '${database}' and application_name = 'wbs svc_owner' and state = 'idle'`,
    )
    assert.ok(lost.length > 0)
    await eventually(async () => (await connections(database)) === 1)
    await hold.letGo()
    await migrated
  })

  it('notices that a file was changed after it was applied, and applies nothing', async context => {
    const database = await migratedDatabase()
    const { url, write } = await migrationFolder(context)
    await migrate(server.address(database), url)
    const [first = ''] = shipped
    const text = await readFile(new URL(first, url), 'utf8')
    await write(first, `${text}\n-- an afterthought\n`)
    await write('9001_more.sql', 'create table more (id integer)')
    await assert.rejects(
      migrate(server.address(database), url),
      error =>
        error instanceof UnsupportedDatabase &&
        /^The file 0001_workspaces\.sql .* were altered: install the release again/.test(error.message),
    )
    assert.deepEqual(await applied(database), shipped)
    await write(first, text)
    await migrate(server.address(database), url)
  })

  for (const encoding of ['SQL_ASCII', 'LATIN1'])
    it(`a database encoded in ${encoding} is refused, and left as it was`, async () => {
      const database = await emptyDatabase(`encoding '${encoding}' locale 'C' template template0`)
      await assert.rejects(
        migrate(server.address(database)),
        error => error instanceof UnsupportedDatabase && error.message.includes(`UTF8, not ${encoding}`),
      )
      assert.deepEqual(await server.sql(`select from pg_namespace where nspname = 'svc'`, database), [])
    })

  it('a PostgreSQL older than 15 is refused', async () => {
    const roles = await readFile(new URL('roles.sql', source), 'utf8')
    // No such server is available, so the condition is changed to exclude this one.
    const moved = roles.replace('< 150000', '< 990000')
    assert.notEqual(moved, roles)
    await assert.rejects(server.sql(moved, await emptyDatabase()), {
      code: 'P0001',
      message: /PostgreSQL 15 or newer is needed; this is 1\d/,
    })
  })

  it('needs no superuser: a login that owns its database and may create roles', async () => {
    await server.sql(`create role app login createrole`)
    const database = await emptyDatabase('owner app')
    for (const role of ['svc_owner', 'svc_writer', 'svc_reader'])
      await server.sql(`alter role ${role} rename to former_${role}`)
    const address = { ...server.address(database), user: 'app' }
    await migrate(address)
    await migrate(address)
    await selfTest(address)
    assert.deepEqual(await applied(database), shipped)
  })

  it('as a login that may not set up is refused in one sentence', async () => {
    await server.sql(`create role guest login`)
    const database = await emptyDatabase()
    await assert.rejects(
      migrate({ ...server.address(database), user: 'guest' }),
      error => error instanceof UnsupportedDatabase && /may not set it up/.test(error.message),
    )
  })
})
