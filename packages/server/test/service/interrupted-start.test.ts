import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { dataFolder, launch, postmasterOf, usedDataFolder } from '../harness/process.ts'
import { proofDraws } from '../harness/proof.ts'
import { administer } from '../harness/postgres/administer.ts'

/** The lock that Kysely takes for migrations. */
const migrationLock = '3853314791062309107'

describe('a start that is interrupted', () => {
  it('says nothing, ends as the signal has it, leaves nothing running, and can be done again', async t => {
    const folder = await dataFolder(t)
    const within = (name: string) => readdirSync(folder.path).some(one => one.startsWith(name))
    const moments: [string, NodeJS.Signals, number, () => boolean | Promise<boolean>][] = [
      ['at once', 'SIGINT', 130, () => within('postgres.lock')],
      ['while the database is made', 'SIGINT', 130, () => within('postgres.new-')],
      ['while the database is made, by npm', 'SIGTERM', 143, () => within('postgres.new-')],
      ['as soon as the database server is there', 'SIGTERM', 143, () => postmasterOf(folder.path) !== null],
      ['once the schema is made', 'SIGINT', 130, () => has(folder.path, `to_regclass('svc.workspaces')`)],
      ['while the sample is loaded', 'SIGHUP', 129, () => has(folder.path, sampleBegun)],
    ]
    const drawn = proofDraws(moments)
    for (const [moment, signal, code, come] of drawn) {
      const { child, output, ended } = launch({ SVC_DATA_DIR: folder.path })
      t.after(() => child.kill('SIGKILL'))
      await eventually(come)
      child.kill(signal)
      assert.deepEqual([await ended, output()], [code, ''], moment)
      assert.equal(postmasterOf(folder.path), null, moment)
      assert.ok(!within('postgres.new-'), moment)
    }
    // The sample takes most of a start, so it is loaded where its loading was interrupted.
    const withSample = drawn.some(([moment]) => moment === 'while the sample is loaded')
    const service = await folder.start(withSample ? {} : { SVC_SAMPLE_DATA: 'off' })
    const { data } = (await (await fetch(`${service.base_url}/v1/businesses?limit=1`)).json()) as {
      data: object[]
    }
    assert.equal(data.length, withSample ? 1 : 0)
  })

  it('does not wait for another node that migrates', async t => {
    const database = await createTestDatabase()
    t.after(() => database.drop())
    const folder = await dataFolder(t)
    await administer(database.address, async admin => {
      // A database with nothing to migrate is not waited for.
      await admin.query(
        'drop schema svc cascade; drop schema svc_jobs cascade; drop extension pg_trgm cascade',
      )
      await admin.query(`select pg_advisory_lock(${migrationLock})`)
      const { child, output, ended } = launch({ SVC_DATA_DIR: folder.path, DATABASE_URL: database.url })
      t.after(() => child.kill('SIGKILL'))
      await eventually(async () => {
        if (child.exitCode !== null) assert.fail(`It ended: ${output()}`)
        const { rowCount } = await admin.query(
          `select from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`,
        )
        return rowCount === 1
      })
      child.kill('SIGINT')
      assert.deepEqual([await ended, output()], [130, ''])
    })
  })

  it('does not wait for another service on the data folder, nor stop its database', async t => {
    const folder = await usedDataFolder(t)
    const first = await folder.start({ SVC_SAMPLE_DATA: 'off' })
    const { child, output, ended } = launch({ SVC_DATA_DIR: folder.path })
    t.after(() => child.kill('SIGKILL'))
    await eventually(() => has(folder.path, twoWantTheFolder))
    child.kill('SIGTERM')
    assert.deepEqual([await ended, output()], [143, ''])
    assert.equal((await fetch(`${first.base_url}/ready`)).status, 200)
  })
})

const sampleBegun = `(select true from svc.reference_data where name = 'naics')`
const twoWantTheFolder = `(select true from pg_stat_activity where application_name = 'wbs holds the data folder' offset 1)`

/** Whether the embedded database of a data folder answers a query with something other than null. */
async function has(dataDir: string, what: string): Promise<boolean> {
  const client = new pg.Client({ host: join(dataDir, 'postgres'), user: 'svc', database: 'postgres' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ there: boolean }>(`select ${what} is not null as there`)
    return rows[0]?.there === true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
