import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { migrate, NewerDatabase, UnfitDatabase } from '../../src/database/migrate.ts'
import { selfTest } from '../../src/database/self-test.ts'
import { startPrivateServer, type PrivateServer } from './private-server.ts'

const source = new URL('../../src/database/', import.meta.url)
const shipped = (await readdir(new URL('migrations/', source))).filter(name => name.endsWith('.sql')).sort()

describe('migrating', () => {
  let server: PrivateServer
  let count = 0
  before(async () => void (server = await startPrivateServer({ fsync: 'off' })))
  after(() => server.close())

  async function emptyDatabase(options = ''): Promise<string> {
    const name = `empty_${++count}`
    await server.sql(`create database ${name} ${options}`)
    return name
  }

  const applied = async (database: string) =>
    (
      await server.sql<{ name: string }>(
        `select name from svc.migrations join svc.migration_files using (name) order by name`,
        database,
      )
    ).map(row => `${row.name}.sql`)

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
    const database = await emptyDatabase()
    await migrate(server.address(database))
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
    const database = await emptyDatabase()
    const { url, write } = await folder(context)
    await migrate(server.address(database), url)
    await write('9001_more.sql', 'create table more (id integer); insert into nowhere values (1)')
    await assert.rejects(migrate(server.address(database), url), { code: '42P01' })
    assert.deepEqual(await applied(database), shipped)
    assert.deepEqual(await server.sql(`select to_regclass('svc.more') as more`, database), [{ more: null }])
    await write('9001_more.sql', 'create table more (id integer)')
    await migrate(server.address(database), url)
    assert.deepEqual(await applied(database), [...shipped, '9001_more.sql'])
  })

  it('a database of a newer version is refused, and says what is unknown', async context => {
    const database = await emptyDatabase()
    const { url, write } = await folder(context)
    await write('9001_from_the_future.sql', 'create table future (id integer)')
    await migrate(server.address(database), url)
    await assert.rejects(
      migrate(server.address(database)),
      error => error instanceof NewerDatabase && /9001_from_the_future/.test(error.message),
    )
  })

  it('notices that a file was changed after it was applied, and applies nothing', async context => {
    const database = await emptyDatabase()
    const { url, write } = await folder(context)
    await migrate(server.address(database), url)
    const [first = ''] = shipped
    const text = await readFile(new URL(first, url), 'utf8')
    await write(first, `${text}\n-- an afterthought\n`)
    await write('9001_more.sql', 'create table more (id integer)')
    await assert.rejects(
      migrate(server.address(database), url),
      error => error instanceof UnfitDatabase && error.message.includes('0001_workspaces'),
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
        error => error instanceof UnfitDatabase && error.message.includes(`UTF8, not ${encoding}`),
      )
      assert.deepEqual(await server.sql(`select from pg_namespace where nspname = 'svc'`, database), [])
    })

  it('a PostgreSQL older than 15 is refused', async () => {
    const roles = await readFile(new URL('roles.sql', source), 'utf8')
    // No such server is at hand: it is the condition that is moved past this one.
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
      error => error instanceof UnfitDatabase && /may not set it up/.test(error.message),
    )
  })
})

/** A copy of the migrations, to be added to and changed while the test lasts. */
async function folder(test: TestContext) {
  const path = await mkdtemp(join(tmpdir(), 'wbs-migrations-'))
  test.after(() => rm(path, { recursive: true }))
  await cp(new URL('migrations/', source), path, { recursive: true })
  return {
    url: pathToFileURL(`${path}/`),
    write: (name: string, text: string) => writeFile(join(path, name), text),
  }
}
