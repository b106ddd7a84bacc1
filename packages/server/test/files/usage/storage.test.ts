import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import { usageOfRooms } from '../../../src/files/usage/usage-store.ts'
import { refused } from '../../harness/refused.ts'
import { sha256Of, makeUploadWorld, someBytes, type UploadWorld } from '../uploads/upload-fixture.ts'

const service_bytes = 100_000
const guest_bytes = 20_000

let world: UploadWorld
before(async () => {
  world = await makeUploadWorld({ storage: { workspace_bytes: service_bytes, guest_bytes } })
})
after(() => world.close())
const as = (name: 'owner' | 'admin' | 'member' | 'guest') => world.as(world.people[name])

async function usage(client: Client = as('owner')) {
  const { data } = await client.getWorkspaceUsage({ workspace_id: world.workspace_id })
  return data
}

/** What a change adds: stored bytes, promised bytes, Files. */
async function added(change: () => Promise<unknown>): Promise<number[]> {
  const before = await usage()
  await change()
  const after = await usage()
  return (['stored_bytes', 'promised_bytes', 'files'] as const).map(name => after[name] - before[name])
}

/** Sets the limit of the Workspace to so many bytes more than it has. */
async function leave(bytes: number): Promise<void> {
  const { stored_bytes, promised_bytes } = await usage()
  await limit(stored_bytes + promised_bytes + bytes)
}

async function limit(storage_limit_bytes: number | null) {
  const { workspace_id } = world
  const { data } = await as('admin').getWorkspace({ workspace_id })
  const { revision } = data
  return as('admin').updateWorkspace({ workspace_id, expected_revision: revision, storage_limit_bytes })
}

const text = (length: number) => someBytes(length / 2).toString('hex')
const newText = (length: number, client = as('member'), room?: { room_id: string }) =>
  client.createTextFile({ name: 'Notes.md', content: text(length), ...room })

describe('the content of a Workspace', () => {
  it('is counted: text at once, an upload as promised until it is complete', async () => {
    assert.deepEqual(await added(() => newText(1000)), [1000, 0, 1])
    const content = someBytes(1500)
    let begun: Awaited<ReturnType<UploadWorld['begin']>> | undefined
    assert.deepEqual(await added(async () => (begun = await world.begin(content))), [0, 1500, 1])
    assert.ok(begun)
    const { upload } = begun
    await world.send(upload, content)
    const completing = () => as('member').completeUpload({ upload_id: upload.upload_id })
    assert.deepEqual(await added(completing), [1500, -1500, 0])
  })

  it('no longer counts an upload that is aborted, or whose content is another than announced', async () => {
    const content = someBytes(900)
    const { upload } = await world.begin(content)
    const aborting = () => as('member').abortUpload({ upload_id: upload.upload_id })
    assert.deepEqual(await added(aborting), [0, -900, 0])
    assert.deepEqual(await added(aborting), [0, 0, 0])
    const other = await world.begin(content, { sha256: sha256Of(someBytes(1)) })
    await world.send(other.upload, content)
    const completing = () => as('member').completeUpload({ upload_id: other.upload.upload_id })
    assert.deepEqual(await added(completing), [0, -900, 0])
  })

  it('counts once for each File: a restored version adds nothing, and an archived File stays', async () => {
    const { file } = await newText(800)
    const { file_id } = file
    const restoring = () =>
      as('member').restoreFileVersion({
        file_id,
        expected_revision: 1,
        file_version_id: file.current_version.file_version_id,
      })
    assert.deepEqual(await added(restoring), [0, 0, 0])
    assert.deepEqual(
      await added(() => as('member').archiveFile({ file_id, expected_revision: 2 })),
      [0, 0, 0],
    )
  })
})

describe('the limit of a Workspace', () => {
  it('is set by its admins, up to that of the service', async () => {
    const { errors } = await refused(limit(service_bytes + 1), 'validation_error')
    assert.equal(errors[0]?.pointer, '/storage_limit_bytes')
    assert.equal((await limit(service_bytes - 1)).data.storage_limit_bytes, service_bytes - 1)
    assert.equal((await usage()).limit_bytes, service_bytes - 1)
    assert.equal((await limit(null)).data.storage_limit_bytes, null)
    assert.equal((await usage()).limit_bytes, service_bytes)
  })

  it('refuses content beyond it, and changes nothing', async () => {
    await leave(1000)
    const { file } = await newText(10)
    const beyond = [
      () => newText(1000),
      () => world.begin(someBytes(1000)),
      () => as('member').addFileVersion({ file_id: file.file_id, expected_revision: 1, size_bytes: 1000 }),
    ]
    for (const change of beyond)
      assert.deepEqual(await added(() => refused(change(), 'limit_reached')), [0, 0, 0])
    await newText(990)
    await limit(null)
  })

  for (const [name, change] of [
    ['texts', async () => newText(1000)],
    ['uploads', async () => world.begin(someBytes(1000))],
  ] as const)
    it(`is kept exactly when many ${name} are added at once`, async () => {
      await leave(5500)
      const changes = Array.from({ length: 12 }, (): Promise<unknown> => change())
      const ended = await Promise.allSettled(changes)
      assert.equal(ended.filter(({ status }) => status === 'fulfilled').length, 5)
      for (const one of ended)
        if (one.status === 'rejected') await refused(Promise.reject(one.reason as Error), 'limit_reached')
      await limit(null)
    })
})

describe('what a guest brings', () => {
  it('has a limit of its own, uploads that are never completed included', async () => {
    const room = { room_id: await world.room() }
    await world.invite(room.room_id, world.people.guest, 'edit')
    const bytes = someBytes(guest_bytes / 2)
    const { upload } = await world.begin(bytes, room, as('guest'))
    await world.begin(bytes, room, as('guest'))
    const { detail } = await refused(world.begin(someBytes(2), room, as('guest')), 'limit_reached')
    assert.match(detail, /guest/)
    await refused(newText(2, as('guest'), room), 'limit_reached')
    await newText(2, as('member'), room)
    await as('guest').abortUpload({ upload_id: upload.upload_id })
    await newText(2, as('guest'), room)
  })
})

describe('GET /v1/workspaces/{workspace_id}/usage', () => {
  it('has the Rooms that the caller can see, and everything else in one sum', async () => {
    const { room } = await as('owner').createRoom({ title: 'Sale' })
    const hidden = { room_id: await world.room('A secret') }
    await newText(3000, as('owner'), { room_id: room.room_id })
    await newText(2000, as('member'), hidden)
    const { by_room, stored_bytes, files } = await usage()
    assert.deepEqual(by_room, [
      { room_id: room.room_id, title: 'Sale', stored_bytes: 3000, files: 1 },
      { room_id: null, title: null, stored_bytes: stored_bytes - 3000, files: files - 1 },
    ])
  })

  it('reads no more Files of Rooms than a limit', async () => {
    const { workspace_id, service } = world
    const { user_id } = world.people.owner
    const reader = service.database.readers.scoped({ workspace_id, user_id })
    const viewer = { workspace_id, user_id, is_member: true, reads_businesses: true, reads_lists: true }
    const [found] = await service.sql<{ count: number }>(
      `select count(*)::integer as count from room_files where workspace_id = $1 and status <> 'archived'`,
      [workspace_id],
    )
    const count = found?.count ?? 0
    assert.ok(count > 1)
    assert.equal((await usageOfRooms(reader, viewer, count)).length, 2)
    assert.deepEqual(await usageOfRooms(reader, viewer, count - 1), [])
  })

  it('is for those who manage the Workspace', async () => {
    await refused(usage(as('member')), 'forbidden')
  })
})

describe('the counters', () => {
  it('are what the rows say', async () => {
    const [row] = await world.service.sql(
      `select (select sum(stored_bytes) from storage_usage) = (
          select sum(size_bytes) from (
            select distinct on (workspace_id, file_id, sha256) size_bytes from file_versions where sha256 is not null) one) as stored,
        (select sum(promised_bytes) from storage_usage) = (
          select sum(size_bytes) from file_uploads where status = 'open') as promised,
        (select sum(files) from storage_usage) = (select count(*) from files) as files,
        (select sum(stored_bytes) from storage_usage_of_people) = (select sum(stored_bytes) from storage_usage) as people`,
    )
    assert.deepEqual(row, { stored: true, promised: true, files: true, people: true })
  })

  it('are made from the rows that the version before wrote', async () => {
    const counted = () =>
      world.service.sql(
        `select workspace_id, user_id, sum(stored_bytes) as stored, sum(promised_bytes) as promised, null as files
         from storage_usage_of_people group by workspace_id, user_id
         union all
         select workspace_id, null, sum(stored_bytes), sum(promised_bytes), sum(files) from storage_usage group by workspace_id
         order by workspace_id, user_id`,
      )
    const before = await counted()
    assert.ok(before.length > 2)
    const migration = await readFile(
      new URL('../../../src/database/migrations/0032_storage.sql', import.meta.url),
      'utf8',
    )
    await world.service.sql(
      `begin;
       set local search_path = svc;
       set local role svc_owner;
       drop function count_version, count_upload cascade;
       drop function count_storage, refuse_storage;
       drop table storage_usage, storage_usage_of_people;
       alter table workspaces drop column storage_limit_bytes;
       ${migration};
       commit`,
    )
    assert.deepEqual(await counted(), before)
    await newText(10)
  })
})
