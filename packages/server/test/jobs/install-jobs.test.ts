import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import bossPackage from 'pg-boss/package.json' with { type: 'json' }
import { connectionConfig, type DatabaseRole } from '../../src/database/connections/connection.ts'
import { connectOwner } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrating/migrate.ts'
import { installJobs } from '../../src/jobs/install-jobs.ts'
import { startPrivateServer, type PrivateServer } from '../database/embedded/private-server.ts'

describe('the tables of the jobs', () => {
  let server: PrivateServer
  before(async () => {
    server = await startPrivateServer({ fsync: 'off' })
    await server.sql('create database jobs')
    await migrate(server.address('jobs'))
  })
  after(() => server.close())

  const tables = () =>
    server.sql<{ name: string; owner: string }>(
      `select relname as name, relowner::regrole::text as owner from pg_class
       where relnamespace = 'svc_jobs'::regnamespace and relkind in ('r', 'p')`,
      'jobs',
    )

  async function as(role: DatabaseRole, statement: string): Promise<string> {
    const client = new pg.Client(connectionConfig(server.address('jobs'), role))
    await client.connect()
    try {
      await client.query(statement)
      return 'done'
    } catch (error) {
      return (error as { code: string }).code
    } finally {
      await client.end()
    }
  }

  it('are made once by several nodes that start at the same moment, and stay as they are at the next start', async () => {
    assert.deepEqual(await tables(), [])
    await Promise.all(
      Array.from({ length: 4 }, () => installJobs(() => connectOwner(server.address('jobs')))),
    )
    const made = await tables()
    assert.ok(made.length > 5)
    await installJobs(() => connectOwner(server.address('jobs')))
    assert.deepEqual(await tables(), made)
  })

  it('are left as they are where a newer version has brought them up to its own', async () => {
    const version = async () =>
      (await server.sql<{ version: number }>('select version from svc_jobs.version', 'jobs'))[0]?.version
    const own = (await version()) ?? 0
    await server.sql('update svc_jobs.version set version = version + 1', 'jobs')
    try {
      await installJobs(() => connectOwner(server.address('jobs')))
      assert.equal(await version(), own + 1)
    } finally {
      await server.sql('update svc_jobs.version set version = version - 1', 'jobs')
    }
  })

  it('change only along with a migration, which says what versions can run with them', async () => {
    const folder = new URL('../../src/database/migrations/', import.meta.url)
    const said: string[] = []
    for (const name of (await readdir(folder)).sort())
      said.push(...(/^-- Jobs schema: \d+$/m.exec(await readFile(new URL(name, folder), 'utf8')) ?? []))
    assert.equal(said.at(-1), `-- Jobs schema: ${bossPackage.pgboss.schema}`)
  })

  it('belong to svc_owner; svc_writer may use them, and change none; svc_reader may not even look', async () => {
    assert.deepEqual(new Set((await tables()).map(table => table.owner)), new Set(['svc_owner']))
    assert.equal(await as('svc_writer', 'delete from svc_jobs.job'), 'done')
    assert.equal(await as('svc_writer', 'drop table svc_jobs.job'), '42501')
    assert.equal(await as('svc_writer', 'create table svc_jobs.more ()'), '42501')
    assert.equal(await as('svc_reader', 'select from svc_jobs.job'), '42501')
    assert.equal(await as('svc_reader', 'select svc_jobs.job_now()'), '42501')
  })
})
