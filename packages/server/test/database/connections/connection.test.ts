import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { connectionConfig, openConnection } from '../../../src/database/connections/connection.ts'
import { connectWriter } from '../../../src/database/database.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { administer } from '../../harness/postgres/administer.ts'

describe('a connection', () => {
  let database: TestDatabase
  before(async () => void (database = await createTestDatabase()))
  after(() => database.drop())

  for (const [when, statement] of [
    ['with nothing to do', null],
    ['in the midst of a statement', 'select pg_sleep(60)'],
  ] as const)
    it(`that is lost ${when} fails its own statements, and nothing else`, async () => {
      const client = await connectWriter(database.address)
      const lost = new Promise<void>(resolve => client.once('end', resolve))
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      const asked = statement && assert.rejects(client.query(statement))
      await administer(database.address, admin =>
        admin.query('select pg_terminate_backend($1)', [rows[0]?.pid]),
      )
      await lost
      await asked
      await assert.rejects(client.query('select 1'))
      await client.end()
    })

  it('gives every moment as answers carry it, whichever way PostgreSQL writes it', async () => {
    const moments = {
      '2026-11-22 07:37:54.042+00': '2026-11-22T07:37:54.042Z',
      '2026-11-22 07:37:54.04+00': '2026-11-22T07:37:54.040Z',
      '2026-11-22 07:37:54+00': '2026-11-22T07:37:54.000Z',
      '2026-11-22 07:37:54.042678+00': '2026-11-22T07:37:54.042Z',
      '2026-11-22 23:37:54.042-08': '2026-11-23T07:37:54.042Z',
      '12026-11-22 07:37:54.04+00': '+012026-11-22T07:37:54.040Z',
      '0026-11-22 07:37:54.999+00': '0026-11-22T07:37:54.999Z',
      '0026-11-22 07:37:54.9+00': '0026-11-22T07:37:54.900Z',
      '0001-01-01 00:00:00+00': '0001-01-01T00:00:00.000Z',
    }
    const client = await openConnection(connectionConfig(database.address, 'svc_reader'))
    const { rows } = await client.query<{ moment: string }>(
      'select moment from unnest($1::timestamptz[]) with ordinality as m (moment, place) order by place',
      [Object.keys(moments)],
    )
    await client.end()
    assert.deepEqual(
      rows.map(row => row.moment),
      Object.values(moments),
    )
  })
})
