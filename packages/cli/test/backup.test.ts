import assert from 'node:assert/strict'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createClient, type Client } from '@wbs/sdk'
import { createTestDatabase } from '../../server/test/harness/database.ts'
import {
  dataFolder,
  usedDataFolder,
  type DataFolder,
  type ServiceProcess,
} from '../../server/test/harness/process.ts'
import { runWbs, runWbsQuickly } from './run-wbs.ts'

describe('wbs backup and wbs restore', () => {
  let folder: DataFolder
  let other: DataFolder
  let service: ServiceProcess
  let file: string
  before(async () => {
    ;[folder, other] = [await usedDataFolder(), await dataFolder()]
    file = join(folder.path, 'backup.tar.gz')
    service = await folder.start({ SVC_SAMPLE_DATA: 'off' })
  })
  after(async () => {
    await folder.remove()
    await other.remove()
  })

  async function owner(of: ServiceProcess): Promise<Client> {
    const { users } = await of.quickstart()
    return createClient({ base_url: of.base_url, access_token: users['owner']?.access_token ?? '' })
  }

  it('bring back what was there, so that a new service goes on where the old one was', async () => {
    const idempotency_key = 'the-key-of-before'
    const { workspace_id } = await service.quickstart()
    const { secret } = await (
      await owner(service)
    ).createApiKey({ name: 'Mine', scopes: ['workspace:read'] }, { workspace_id })
    const { room } = await (
      await owner(service)
    ).createRoom({ title: 'Diligence' }, { workspace_id, idempotency_key })

    const made = await runWbs(folder.path, ['backup', file])
    assert.equal(made.code, 0, made.stderr)
    assert.match(
      made.stdout,
      /^Backed up [\d,]+ rows of \d+ tables and 0 blobs of 0\.0 MB to .*backup\.tar\.gz, [\d.]+ MB\..*\n$/,
    )
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    // Backing up under a running service must leave the service running.
    await (await owner(service)).createRoom({ title: 'Too late' }, { workspace_id })
    await service.end()

    const restored = await runWbs(other.path, ['restore', file])
    assert.equal(restored.code, 0, restored.stderr)
    assert.match(
      restored.stdout,
      /^Restored [\d,]+ rows of \d+ tables and 0 blobs of 0\.0 MB from .*, as they were at 2.*Z\. Every table was compared\.\n$/,
    )
    const much = (told: string) => /[\d,]+ rows of \d+ tables/.exec(told)?.[0]
    assert.equal(much(restored.stdout), much(made.stdout))

    const again = await other.start({ SVC_SAMPLE_DATA: 'off' })
    const client = await owner(again)
    const rooms = await client.listRooms({}, { workspace_id })
    assert.deepEqual(
      rooms.data.map(({ title }) => title),
      ['Diligence'],
    )
    const replay = await client.createRoom({ title: 'Diligence' }, { workspace_id, idempotency_key })
    assert.deepEqual([replay.idempotent_replay, replay.room.room_id], [true, room.room_id])
    const withKey = createClient({ base_url: again.base_url, api_key: secret ?? '' })
    assert.equal((await withKey.getMe()).data.user.user_id, (await client.getMe()).data.user.user_id)
  })

  it('are refused where a service holds the data folder, or somebody used it', async () => {
    const held = await runWbsQuickly(other.path, ['restore', file])
    assert.deepEqual([held.code, held.stdout], [1, ''])
    assert.match(held.stderr, /^Another service is running on the data folder .*\n$/)
    const used = await runWbsQuickly(folder.path, ['restore', file])
    assert.deepEqual([used.code, used.stdout], [1, ''])
    assert.match(used.stderr, /^The database is in use: .* nothing was changed\.\n$/)
  })

  it('say in one sentence what is wrong with a file or a folder, and make no database for it', async () => {
    const taken = await runWbsQuickly(folder.path, ['backup', file])
    assert.deepEqual([taken.code, taken.stderr], [1, `${file} already exists; a backup needs a new file.\n`])
    const nowhere = join(folder.path, 'nowhere')
    const none = await runWbsQuickly(nowhere, ['backup', join(folder.path, 'none')])
    assert.equal(none.code, 1)
    assert.match(none.stderr, /^There is no database to back up: .*\n$/)
    const cut = join(folder.path, 'cut.tar.gz')
    await writeFile(cut, (await readFile(file)).subarray(0, 5000))
    const damaged = await runWbsQuickly(nowhere, ['restore', cut])
    assert.deepEqual(
      [damaged.code, damaged.stderr],
      [1, `${cut} is not a complete backup: it ends too early.\n`],
    )
    await assert.rejects(stat(nowhere), { code: 'ENOENT' })
  })

  it('end with 130 on Ctrl-C, whatever they wait for, and leave nothing behind', async context => {
    const database = await createTestDatabase()
    context.after(() => database.drop())
    const locker = new pg.Client(database.address)
    await locker.connect()
    await locker.query('begin; lock table svc.users in access exclusive mode')
    for (const args of [
      ['backup', join(folder.path, 'interrupted.tar.gz')],
      ['restore', file],
    ]) {
      const ended = await runWbs({ DATABASE_URL: database.url }, args, child => {
        void untilSomeoneWaits(locker, true).then(() => child.kill('SIGINT'))
      })
      assert.equal(ended.code, 130, ended.stderr)
      await untilSomeoneWaits(locker, false)
      assert.match(ended.stderr, /^Interrupted\. (No backup was made|Nothing was restored)\.$/m)
    }
    await locker.end()
    const left = (await readdir(folder.path)).filter(entry => entry.startsWith('interrupted'))
    assert.deepEqual(left, [])
    assert.equal((await runWbsQuickly({ DATABASE_URL: database.url }, ['restore', file])).code, 0)
  })
})

/** Waits until another connection waits for this one's lock, or until none does. */
async function untilSomeoneWaits(locker: pg.Client, wanted: boolean): Promise<void> {
  for (;;) {
    const { rows } = await locker.query<{ waits: boolean }>(
      `select exists (select from pg_locks where relation = 'svc.users'::regclass and not granted) as waits`,
    )
    if (rows[0]?.waits === wanted) return
    await sleep(20)
  }
}
