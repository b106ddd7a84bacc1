import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createClient } from '@wbs/sdk'
import { restoreBackup } from '../../src/backup/restore-backup.ts'
import { createFilesystemStore } from '../../src/blobs/filesystem/filesystem-store.ts'
import { backUp } from '../../src/backup/write-backup.ts'
import { allRows } from '../backup/all-rows.ts'
import { guideBlocks } from '../docs/guide-blocks.ts'
import { dataFolder, type DataFolder } from '../harness/process.ts'
import { quickstartIn, startHere } from '../service/start-here.ts'
import { startPrivateServer, type PrivateServer } from './embedded/private-server.ts'
import { proofDraws } from '../harness/proof.ts'

const roles = ['svc_owner', 'svc_writer', 'svc_reader']

describe('a service whose login', () => {
  let server: PrivateServer
  let count = 0
  before(async () => void (server = await startPrivateServer({ fsync: 'off' })))
  after(() => server.close())

  /**
   * A database, and a login that may only connect to it. Roles of earlier tests are renamed, since they belong to the
   * whole server.
   */
  async function loginAndDatabase(): Promise<{ login: string; database: string; url: string }> {
    const [login, database] = [`login_${++count}`, `service_${count}`]
    for (const role of roles)
      await server.sql(
        `do $$ begin
           if to_regrole('${role}') is not null then alter role ${role} rename to ${role}_before_${count}; end if;
         end $$`,
      )
    await server.sql(`create role ${login} login nosuperuser nocreatedb nocreaterole`)
    await server.sql(`create database ${database} strategy file_copy`)
    const { host = '', port } = server.address(database)
    return {
      login,
      database,
      url: `postgresql://${login}@/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    }
  }

  /** The SQL of the guide, verbatim except for the name of the login. */
  async function prepare({ login, database }: { login: string; database: string }): Promise<void> {
    const [block = '', ...more] = await guideBlocks('operating.md', 'restricted-login.test.ts')
    assert.deepEqual(more, [])
    assert.ok(block.includes('the_login'))
    await server.sql(block.replaceAll('the_login', login), database)
  }

  /** The privileges that a locked-down database revokes from everybody. */
  const lockDown = ({ login, database }: { login: string; database: string }) =>
    server.sql(`revoke all on database ${database} from public; grant connect on database ${database} to ${login};
                revoke all on schema public from public; grant usage on schema public to public`)

  async function mayCreate({ login, database }: { login: string; database: string }): Promise<boolean> {
    const [row] = await server.sql<{ may: boolean }>(
      `select rolsuper or rolcreatedb or rolcreaterole or has_database_privilege(oid, current_database(), 'create') as may
       from pg_roles where rolname = '${login}'`,
      database,
    )
    assert.ok(row)
    return row.may
  }

  /** Checks that the service answers a search and takes a change. */
  async function serves(base_url: string, folder: DataFolder): Promise<void> {
    const { users } = await quickstartIn(folder)
    const client = createClient({ base_url, access_token: users['owner']?.access_token ?? '' })
    await client.searchBusinesses({ limit: 1 })
    const { workspace } = await client.createWorkspace({ name: 'Harbor' })
    await client.createRoom({ title: 'A Room' }, { workspace_id: workspace.id })
  }

  async function startAndEnd(folder: DataFolder, env: Record<string, string>): Promise<void> {
    const service = await startHere(folder, env)
    try {
      await serves(service.base_url, folder)
    } finally {
      await service.close()
    }
  }

  const drawn = proofDraws([0, 1, 2, 3])
  /** Each starts a service twice. */
  const unlessDrawn = (test: number) => !drawn.includes(test) && 'npm run proof runs all of these'

  it(
    'may create nothing sets up after the SQL of the guide, serves, and restarts',
    { skip: unlessDrawn(0) },
    async context => {
      const folder = await dataFolder(context)
      const who = await loginAndDatabase()
      await prepare(who)
      assert.equal(await mayCreate(who), false)
      await startAndEnd(folder, { DATABASE_URL: who.url })
      await startAndEnd(folder, { DATABASE_URL: who.url })
    },
  )

  it(
    'may not even make temporary tables does so too, without the sample',
    { skip: unlessDrawn(1) },
    async context => {
      const folder = await dataFolder(context)
      const who = await loginAndDatabase()
      await prepare(who)
      await lockDown(who)
      const env = { DATABASE_URL: who.url, SVC_SAMPLE_DATA: 'off' }
      await startAndEnd(folder, env)
      await startAndEnd(folder, env)
    },
  )

  it(
    'may create nothing can be backed up and restored with the same login',
    { skip: unlessDrawn(2) },
    async context => {
      const folder = await dataFolder(context)
      const who = await loginAndDatabase()
      await prepare(who)
      await lockDown(who)
      await startAndEnd(folder, { DATABASE_URL: who.url, SVC_SAMPLE_DATA: 'off' })
      const database = `${who.database}_restored`
      await server.sql(`create database ${database} strategy file_copy`)
      const [block = ''] = await guideBlocks('operating.md', 'restricted-login.test.ts')
      await server.sql(
        block.replaceAll('the_login', who.login).replaceAll(/^create role .*$/gm, ''),
        database,
      )
      await lockDown({ ...who, database })
      assert.equal(await mayCreate({ ...who, database }), false)
      const as = (name: string) => ({ ...server.address(name), user: who.login })
      const store = createFilesystemStore(join(folder.path, 'blobs'))
      const file = join(folder.path, 'backup.tar.gz')
      const backup = await backUp({ address: as(who.database), file, store })
      await restoreBackup({ address: as(database), backup, store })
      assert.deepEqual(await allRows(server.address(database)), await allRows(server.address(who.database)))
      const url = who.url.replace(`/${who.database}?`, `/${database}?`)
      await startAndEnd(folder, { DATABASE_URL: url, SVC_SAMPLE_DATA: 'off' })
    },
  )

  it(
    'did everything at the first start restarts after its rights were revoked',
    { skip: unlessDrawn(3) },
    async context => {
      const folder = await dataFolder(context)
      const who = await loginAndDatabase()
      await server.sql(
        `alter role ${who.login} createrole; grant create on database ${who.database} to ${who.login};
                      create extension pg_trgm schema public`,
        who.database,
      )
      await startAndEnd(folder, { DATABASE_URL: who.url })
      await server.sql(
        `alter role ${who.login} nocreaterole; revoke create on database ${who.database} from ${who.login}`,
      )
      await lockDown(who)
      assert.equal(await mayCreate(who), false)
      await startAndEnd(folder, { DATABASE_URL: who.url })
    },
  )
})
