import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { refused } from '../../harness/refused.ts'
import { setProcessing } from '../file-fixture.ts'
import { makeRoomFileWorld, type RoomFileWorld } from './room-file-fixture.ts'

describe('attach_room_file', () => {
  let world: RoomFileWorld
  before(async () => (world = await makeRoomFileWorld()))
  after(() => world.close())
  const us = () => world.as(world.people.member)

  it('puts a ready File into the Room, where everybody can open it, and says so in its Activity', async () => {
    const { people, levelOn } = world
    const room_id = await world.room()
    const file_id = await world.file({ name: 'Memorandum.md' })
    await world.invite(room_id, people.guest, 'view')
    const { room_file, action_receipt } = await us().attachRoomFile({ room_id, file_id })
    assert.equal(room_file.room_id, room_id)
    assert.equal(room_file.file.file_id, file_id)
    assert.equal(room_file.index_path, 'Memorandum.md')
    assert.equal(room_file.display_name, null)
    assert.equal(room_file.access_mode, 'inherit_room')
    assert.equal(room_file.status, 'active')
    assert.equal(room_file.revision, 1)
    assert.equal(room_file.access_level, 'full_access')
    assert.equal(room_file.file_version_id, room_file.file.current_version.file_version_id)
    assert.equal(action_receipt.action, 'attach_room_file')
    assert.deepEqual(action_receipt.resource, { type: 'room_file', id: room_file.room_file_id })
    assert.equal(await levelOn(people.guest, room_file.room_file_id), 'view')
    const { data } = await world.as(people.guest).listEvents({ room_id, limit: 1 })
    assert.equal(data[0]?.type, 'file.added_to_room')
    assert.deepEqual(data[0].subject, { type: 'file', id: file_id, name: 'Memorandum.md' })
  })

  it('answers 201 for the first time and 200 for each repetition, which changes nothing', async () => {
    const room_id = await world.room()
    const file_id = await world.file()
    const attach = (index_path?: string) =>
      world.service.request(`/v1/rooms/${room_id}/files`, {
        method: 'POST',
        token: world.people.member.token,
        headers: {
          'svc-workspace-id': world.workspace_id,
          'idempotency-key': crypto.randomUUID(),
          'content-type': 'application/json',
        },
        body: JSON.stringify({ file_id, index_path }),
      })
    const first = await attach('A/one.md')
    const again = await attach('B/two.md')
    assert.deepEqual([first.status, again.status], [201, 200])
    assert.deepEqual(again.body.room_file, first.body.room_file)
    assert.deepEqual(again.body.action_receipt.changed, [])
    assert.deepEqual(await world.eventsOf(room_id), ['room.created', 'file.added_to_room'])
    // It stays found while its next version is processed.
    await setProcessing(world.service, file_id, 'processing')
    assert.equal((await attach()).status, 200)
  })

  it('makes a new RoomFile for a File that has left the Room', async () => {
    const room_id = await world.room()
    const file_id = await world.file()
    const { room_file } = await us().attachRoomFile({ room_id, file_id })
    await us().archiveRoomFile({ room_file_id: room_file.room_file_id, expected_revision: 1 })
    const again = await us().attachRoomFile({ room_id, file_id })
    assert.notEqual(again.room_file.room_file_id, room_file.room_file_id)
    assert.equal(again.room_file.revision, 1)
  })

  it('refuses a File that is not ready, or archived, and a Room that is archived', async () => {
    const { service } = world
    const room_id = await world.room()
    for (const processing_status of ['pending_upload', 'processing', 'failed'] as const) {
      const file_id = await world.file({ processing_status })
      const { current_status } = await refused(us().attachRoomFile({ room_id, file_id }), 'state_conflict')
      assert.equal(current_status, processing_status)
    }
    const file_id = await world.file()
    await service.sql(`update files set lifecycle = 'archived', archived_at = now() where id = $1`, [file_id])
    await refused(us().attachRoomFile({ room_id, file_id }), 'state_conflict')
    await us().archiveRoom({ room_id, expected_revision: 1 })
    await refused(us().attachRoomFile({ room_id, file_id: await world.file() }), 'state_conflict')
  })

  it('refuses a sub-room whose parent is archived', async () => {
    const parent_room_id = await world.room()
    const { room } = await us().createRoom({ title: 'Tax', parent_room_id })
    await us().archiveRoom({ room_id: parent_room_id, expected_revision: 1 })
    const file_id = await world.file()
    await refused(us().attachRoomFile({ room_id: room.room_id, file_id }), 'state_conflict')
  })

  it('requires edit in the Room and full access to the File', async () => {
    const { people, as } = world
    const room_id = await world.room()
    const other = await world.room()
    await world.invite(room_id, people.guest, 'edit')
    await world.invite(room_id, people.rival, 'view')
    const file_id = await world.file()
    await refused(as(people.guest).attachRoomFile({ room_id, file_id }), 'not_found')
    await refused(as(people.guest).attachRoomFile({ room_id: other, file_id }), 'not_found')
    await us().attachRoomFile({ room_id, file_id })
    // Edit on the File, by this Room.
    await world.invite(other, people.guest, 'edit')
    await refused(as(people.guest).attachRoomFile({ room_id: other, file_id }), 'forbidden')
    await refused(as(people.rival).attachRoomFile({ room_id, file_id }), 'forbidden')
    // Full access to a Room gives it to the File.
    await world.invite(await roomWith(file_id), people.viewer, 'full_access')
    await refused(as(people.viewer).attachRoomFile({ room_id: other, file_id }), 'forbidden')
    await world.invite(await roomWith(file_id), people.admin, 'full_access')
    await world.invite(other, people.admin, 'edit')
    const { room_file } = await as(people.admin).attachRoomFile({ room_id: other, file_id })
    assert.equal(room_file.access_level, 'edit')
  })

  async function roomWith(file_id: string): Promise<string> {
    const room_id = await world.room()
    await us().attachRoomFile({ room_id, file_id })
    return room_id
  }

  it('refuses to say of a File that others restricted anything but that it is there', async () => {
    const { people, as } = world
    const room_id = await world.room()
    await world.invite(room_id, people.admin, 'edit')
    const file_id = await world.file({}, people.admin)
    const { room_file } = await as(people.admin).attachRoomFile({ room_id, file_id })
    await world.grant(room_file.room_file_id, people.member)
    const problem = await refused(as(people.admin).attachRoomFile({ room_id, file_id }), 'state_conflict')
    assert.equal(problem.current_status, 'restricted')
  })

  it('holds at most 20,000 Files in a Room, and a File in 100 Rooms', async context => {
    const { service, workspace_id, people } = world
    // A foreign key that was checked while there were few Files is checked by reading all of them.
    const options = '-c search_path=svc,public -c session_replication_role=replica'
    const client = new pg.Client({ ...service.testDatabase.address, options })
    await client.connect()
    context.after(() => client.end())
    const fill = (rooms: string, count: number, file_id: string | null) =>
      client.query(
        `with more as (select i, 'rfl_0' || lpad(i::text, 5, '0') || upper(substr(md5($2 || i), 1, 20)) as id from generate_series(1, $3::integer) i),
         new_files as (
           insert into files (workspace_id, id, name, classification, origin, current_version_id, created_by, created_at, updated_at)
           select $1, replace(id, 'rfl', 'fil'), 'x', 'other', 'text', replace(id, 'rfl', 'fvr'), $4, now(), now() from more where $5::text is null returning 1
         ), new_versions as (
           insert into file_versions (workspace_id, id, file_id, number, content_type, size_bytes, processing_status, created_by, created_at)
           select $1, replace(id, 'rfl', 'fvr'), replace(id, 'rfl', 'fil'), 1, 'text/plain', 0, 'pending_upload', $4, now() from more where $5::text is null returning 1
         ), new_rooms as (
           insert into rooms (workspace_id, id, title, general_access, created_by, created_at, updated_at)
           select $1, replace(id, 'rfl', 'rom'), 'x', 'invited_only', $4, now(), now() from more where $5::text is not null returning 1
         )
         insert into room_files (workspace_id, id, room_id, file_id, index_path, status, attached_by, attached_at, updated_at)
         select $1, id, case when $5::text is null then $2 else replace(id, 'rfl', 'rom') end, coalesce($5, replace(id, 'rfl', 'fil')), 'x', 'active', $4, now(), now()
         from more where (select count(*) from new_files) + (select count(*) from new_versions) + (select count(*) from new_rooms) >= 0`,
        [workspace_id, rooms, count, people.member.user_id, file_id],
      )
    const room_id = await world.room()
    await fill(room_id, 19_999, null)
    const last = await us().attachRoomFile({ room_id, file_id: await world.file() })
    await refused(us().attachRoomFile({ room_id, file_id: await world.file() }), 'limit_reached')
    // One that leaves makes place for another, and then cannot return.
    await us().archiveRoomFile({ room_file_id: last.room_file.room_file_id, expected_revision: 1 })
    await us().attachRoomFile({ room_id, file_id: await world.file() })
    await refused(
      us().restoreRoomFile({ room_file_id: last.room_file.room_file_id, expected_revision: 2 }),
      'limit_reached',
    )
    const file_id = await world.file()
    await fill('of the File', 99, file_id)
    await us().attachRoomFile({ room_id: await world.room(), file_id })
    await refused(us().attachRoomFile({ room_id: await world.room(), file_id }), 'limit_reached')
  })

  it('runs into no deadlock with others that attach the Files of each other’s Rooms', async () => {
    const { people, as } = world
    const rooms = await Promise.all([world.room(), world.room(), world.room()])
    const files = await Promise.all(rooms.map(() => world.file()))
    for (const room_id of rooms) await world.invite(room_id, people.admin, 'full_access')
    for (const [i, room_id] of rooms.entries())
      await us().attachRoomFile({ room_id, file_id: String(files[i]) })
    const [{ deadlocks: before } = { deadlocks: 0 }] = await deadlocks()
    const work = rooms.flatMap(room_id =>
      files.flatMap(file_id => [people.member, people.admin].map(who => ({ room_id, file_id, who }))),
    )
    await Promise.all(work.map(({ who, ...input }) => as(who).attachRoomFile(input)))
    for (const room_id of rooms) assert.equal((await world.seen(people.admin, room_id)).length, files.length)
    const [{ deadlocks: since } = { deadlocks: 1 }] = await deadlocks()
    assert.equal(since, before)
  })
  const deadlocks = () =>
    world.service.sql<{ deadlocks: number }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    )
})
