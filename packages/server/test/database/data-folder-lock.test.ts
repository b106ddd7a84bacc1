import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { lockDataFolder } from '../../src/database/data-folder-lock.ts'
import { DataFolderInUse } from '../../src/database/refusals.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'

describe('a locked data folder', () => {
  let testDatabase: TestDatabase
  let admin: pg.Client
  before(async () => {
    testDatabase = await createTestDatabase()
    admin = new pg.Client(testDatabase.address)
    await admin.connect()
  })
  after(async () => {
    await admin.end()
    await testDatabase.drop()
  })

  const hold = () => lockDataFolder(testDatabase.address, '/some/folder')
  const holders = async () =>
    (
      await admin.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and application_name = 'wbs holds the data folder'`,
      )
    ).rows

  it('is refused to another, which leaves nothing behind', async () => {
    const release = await hold()
    await assert.rejects(
      hold(),
      error => error instanceof DataFolderInUse && /\/some\/folder/.test(error.message),
    )
    assert.equal((await holders()).length, 1)
    await release()
  })

  it('is granted to one of many who try at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, hold))
    const releases = outcomes.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
    assert.equal(releases.length, 1)
    await releases[0]?.()
  })

  it('can be taken once it is released', async () => {
    const release = await hold()
    const waiting = hold()
    await release()
    await (
      await waiting
    )()
    assert.deepEqual(await holders(), [])
  })

  it('is released when its holder dies', async () => {
    const release = await hold()
    for (const { pid } of await holders()) await admin.query('select pg_terminate_backend($1, 5000)', [pid])
    const next = await hold()
    await release()
    await next()
  })
})
