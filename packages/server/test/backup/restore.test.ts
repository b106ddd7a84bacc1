import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { restoreBackup } from '../../src/backup/restore-backup.ts'
import { excludedTables, tablesOf } from '../../src/backup/tables.ts'
import { backUp } from '../../src/backup/write-backup.ts'
import { selfTest } from '../../src/database/self-test.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { makeWorld } from '../operations/world.ts'
import { allRows, shapeOf } from './all-rows.ts'
import { openBackupBench, sqlOn, type BackupBench } from './backup-fixture.ts'

/** Text that a careless format would not preserve. */
const oddText = ['\\.', '\\N', 'a\tb', 'line\nend\r\n', 'back\\slash', 'Ω 😀 é é', ' ', '"quoted",', '\u0001']

describe('a restored backup', () => {
  let service: TestService
  let bench: BackupBench
  before(async () => {
    // The queues are maintained so rarely that nothing about them is written during the comparison.
    service = await startTestService({ pace: { poll: 1, firstPause: 1, supervise: 3600, attempt: 30 } })
    bench = await openBackupBench(service.blobs)
    const { workspace_id, people } = await makeWorld(service)
    const client = service.client({ access_token: people.owner.token, workspace_id })
    for (const title of oddText) {
      const { room } = await client.createRoom({ title: 'A Room' })
      await service.sql('update rooms set title = $1 where id = $2', [title, room.room_id])
    }
    // It sends jobs that nobody runs here, so they stay queued.
    await client.createTeamInvitation({ email: 'zoe@example.com', role: 'member' })
    await service.sql(`insert into service_secrets values ('fingerprints', '\\x00ff5c6e')`)
    await service.sql(`update users set name = $1`, [oddText.join('')])
    await service.sql(`update businesses set description = 'ÄRA', description_folded = 'ära'`)
  })
  after(async () => {
    await service.close()
    await bench[Symbol.asyncDispose]()
  })

  const source = () => service.testDatabase.address

  it('has every row of every table, jobs that wait and secrets too, in a database of the same shape', async () => {
    const backup = await bench.backUp(source())
    const target = await bench.target()
    const shape = await shapeOf(target)
    await restoreBackup({ store: bench.store, address: target, backup })
    const [there, here] = [await allRows(target), await allRows(source())]
    assert.deepEqual(there, here)
    for (const table of [
      'svc_jobs.job',
      'svc_jobs.queue',
      'svc.service_secrets',
      'svc.rooms',
      'svc.memberships',
      'svc.commands',
      'svc.receipts',
      'svc.events',
    ])
      assert.doesNotMatch(here[table] ?? '0', /^0/, table)
    assert.deepEqual(await shapeOf(target), shape)
    await selfTest(target)
  })

  it('may go into a database in which nothing was set up, and be backed up again', async () => {
    const target = await bench.empty()
    await restoreBackup({ store: bench.store, address: target, backup: await bench.backUp(source()) })
    assert.deepEqual(await allRows(target), await allRows(source()))
    assert.deepEqual(await shapeOf(target), await shapeOf(source()))
    const again = await bench.empty()
    await restoreBackup({ store: bench.store, address: again, backup: await bench.backUp(target) })
    assert.deepEqual(await allRows(again), await allRows(source()))
  })

  it('takes the place of what only set-up has made', async () => {
    const target = await bench.target()
    await sqlOn(
      target,
      `insert into service_secrets values ('fingerprints', '\\x01'); insert into rate_limits values ('a', 1, now(), 1)`,
    )
    await restoreBackup({ store: bench.store, address: target, backup: await bench.backUp(source()) })
    assert.deepEqual(await allRows(target), await allRows(source()))
  })

  it('is of one moment, whatever is committed while it is made', async () => {
    const then = await allRows(source())
    const write = `
      import pg from ${JSON.stringify(import.meta.resolve('pg'))}
      const client = new pg.Client({ ...JSON.parse(process.argv[1]), options: '-c search_path=svc' })
      await client.connect()
      await client.query("insert into users (id, issuer, subject) values (gen_random_uuid(), 'late', 'late'); update rooms set title = 'late'; delete from team_invitations")
      await client.end()`
    let written = 0
    const backup = await backUp({
      store: bench.store,
      address: source(),
      file: bench.path('moment.tar.gz'),
      // This process stands still until it is committed.
      onProgress() {
        if (written++ === 0)
          execFileSync(process.execPath, ['--input-type=module', '--eval', write, JSON.stringify(source())])
      },
    })
    const now = await allRows(source())
    for (const table of ['svc.users', 'svc.rooms', 'svc.team_invitations'])
      assert.notEqual(now[table], then[table])
    const target = await bench.target()
    await restoreBackup({ store: bench.store, address: target, backup })
    assert.deepEqual(await allRows(target), then)
  })

  it('is a file that only its owner may read', async () => {
    const { file } = await bench.backUp(source())
    assert.equal((await stat(file)).mode & 0o777, 0o600)
  })

  it('holds every table but those that are left out for a reason', async () => {
    const tables = await service.sql<{ name: string }>(
      `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('svc', 'svc_jobs') and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
    )
    const { manifest } = await bench.backUp(source())
    const named = [
      ...manifest.tables.map(({ schema, name }) => `${schema}.${name}`),
      ...Object.keys(excludedTables),
    ]
    assert.deepEqual(named.sort(), tables.map(({ name }) => name).sort())
    assert.ok(manifest.tables.length > 30)
  })

  it('need not hold anything but tables: there is no sequence, and no large object', async () => {
    const sequences = await service.sql(
      `select relname from pg_class where relkind = 'S' and relnamespace::regnamespace::text in ('svc', 'svc_jobs')`,
    )
    assert.deepEqual(sequences, [])
    assert.deepEqual(await service.sql('select from pg_largeobject_metadata'), [])
  })

  it('finds that nothing hides rows from it', async () => {
    const client = new pg.Client(source())
    await client.connect()
    const hiding = (await tablesOf(client)).filter(table => table.hides_rows)
    await client.end()
    assert.deepEqual(hiding, [])
  })
})
