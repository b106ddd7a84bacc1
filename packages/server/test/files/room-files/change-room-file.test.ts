import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { setProcessing } from '../file-fixture.ts'
import { makeRoomFileWorld, type RoomFileWorld } from './room-file-fixture.ts'

let world: RoomFileWorld
before(async () => (world = await makeRoomFileWorld()))
after(() => world.close())
const us = () => world.as(world.people.member)

describe('get_room_file', () => {
  it('shows the level on the File in this Room, whatever other access there is', async () => {
    const { people, as } = world
    const room_id = await world.room()
    await world.invite(room_id, people.guest, 'edit')
    const room_file_id = await world.attached(room_id)
    const own = await us().getRoomFile({ room_file_id })
    assert.deepEqual(
      [own.room_file.access_level, own.room_file.file.access_level],
      ['full_access', 'full_access'],
    )
    const theirs = await as(people.guest).getRoomFile({ room_file_id })
    assert.deepEqual([theirs.room_file.access_level, theirs.room_file.file.access_level], ['edit', 'edit'])
    await refused(as(people.admin).getRoomFile({ room_file_id }), 'not_found')
  })

  it('shows an archived one to those who may edit it, and to nobody else', async () => {
    const { people, levelOn } = world
    const room_id = await world.room()
    await world.invite(room_id, people.guest, 'view')
    await world.invite(room_id, people.rival, 'edit')
    const room_file_id = await world.attached(room_id)
    await us().archiveRoomFile({ room_file_id, expected_revision: 1 })
    assert.equal(await levelOn(people.guest, room_file_id), null)
    assert.equal(await levelOn(people.rival, room_file_id), 'edit')
  })
})

describe('update_room_file', () => {
  it('moves a File in the index and gives it a name in the Room', async () => {
    const { people, as } = world
    const room_id = await world.room()
    await world.invite(room_id, people.guest, 'edit')
    const room_file_id = await world.attached(room_id)
    const { room_file, action_receipt } = await as(people.guest).updateRoomFile({
      room_file_id,
      expected_revision: 1,
      index_path: 'Tax/2025.md',
      display_name: 'Tax return',
    })
    assert.deepEqual(
      [room_file.index_path, room_file.display_name, room_file.revision, room_file.file.name],
      ['Tax/2025.md', 'Tax return', 2, 'Memorandum.md'],
    )
    assert.deepEqual(
      [action_receipt.operation, action_receipt.action],
      ['update_room_file', 'update_room_file'],
    )
    const { data } = await us().listEvents({ room_id, limit: 1 })
    assert.deepEqual(
      [data[0]?.type, data[0]?.data],
      ['file.updated', { changed: ['index_path', 'display_name'] }],
    )
    const cleared = await us().updateRoomFile({ room_file_id, expected_revision: 2, display_name: null })
    assert.deepEqual([cleared.room_file.display_name, cleared.room_file.index_path], [null, 'Tax/2025.md'])
  })

  it('keeps the place of a restricted File for those with a permission', async () => {
    const { people } = world
    const room_id = await world.room()
    await world.invite(room_id, people.guest, 'view')
    const ids = [await world.attached(room_id, 'a.md'), await world.attached(room_id, 'b.md')]
    for (const room_file_id of ids) await world.grant(room_file_id, people.guest)
    assert.deepEqual(await world.seen(people.guest, room_id), ['a.md', 'b.md'])
    await us().updateRoomFile({ room_file_id: String(ids[0]), expected_revision: 2, index_path: 'c.md' })
    assert.deepEqual(await world.seen(people.guest, room_id, { limit: 1 }), ['b.md', 'c.md'])
  })

  it('lifts the restriction with full access only, and revokes the permissions', async () => {
    const { people, as } = world
    const room_id = await world.room()
    await world.invite(room_id, people.guest, 'view')
    await world.invite(room_id, people.rival, 'view')
    const room_file_id = await world.attached(room_id)
    await world.grant(room_file_id, people.guest, 'edit')
    const lift = { room_file_id, expected_revision: 2, access_mode: 'inherit_room' as const }
    await refused(as(people.guest).updateRoomFile(lift), 'forbidden')
    await refused(as(people.rival).updateRoomFile(lift), 'not_found')
    const { room_file } = await us().updateRoomFile(lift)
    assert.deepEqual([room_file.access_mode, room_file.revision], ['inherit_room', 3])
    assert.equal(await world.levelOn(people.rival, room_file_id), 'view')
    assert.equal(await world.levelOn(people.guest, room_file_id), 'view')
    assert.deepEqual((await us().listRoomFilePermissions({ room_file_id })).data, [])
    // The old permission does not come back with the next restriction.
    await world.grant(room_file_id, people.rival)
    assert.equal(await world.levelOn(people.guest, room_file_id), null)
  })

  it('changes nothing if everything is so already, and refuses a stale revision', async () => {
    const room_id = await world.room()
    const room_file_id = await world.attached(room_id)
    const same = await us().updateRoomFile({
      room_file_id,
      expected_revision: 1,
      index_path: 'Memorandum.md',
      access_mode: 'inherit_room',
    })
    assert.equal(same.room_file.revision, 1)
    assert.deepEqual(await world.eventsOf(room_id), ['room.created', 'file.added_to_room'])
    const stale = await refused(
      us().updateRoomFile({ room_file_id, expected_revision: 2, index_path: 'x.md' }),
      'revision_conflict',
    )
    assert.deepEqual([stale.current, stale.changed_fields], [1, ['index_path']])
    await refused(us().updateRoomFile({ room_file_id, expected_revision: 1 }), 'validation_error')
  })

  it('requires edit, and a Room and a File that are active there', async () => {
    const { people, as } = world
    const room_id = await world.room()
    await world.invite(room_id, people.guest, 'view')
    const room_file_id = await world.attached(room_id)
    const move = (expected_revision: number) => ({ room_file_id, expected_revision, index_path: 'y.md' })
    await refused(as(people.guest).updateRoomFile(move(1)), 'forbidden')
    await refused(as(people.owner).updateRoomFile(move(1)), 'not_found')
    await us().archiveRoomFile({ room_file_id, expected_revision: 1 })
    await refused(us().updateRoomFile(move(2)), 'state_conflict')
    await us().restoreRoomFile({ room_file_id, expected_revision: 2 })
    await us().archiveRoom({ room_id, expected_revision: 1 })
    await refused(us().updateRoomFile(move(3)), 'state_conflict')
  })
})

describe('archive_room_file and restore_room_file', () => {
  it('remove a File from the Room and return it, with its permissions', async () => {
    const { people } = world
    const room_id = await world.room()
    await world.invite(room_id, people.guest, 'view')
    await world.invite(room_id, people.rival, 'view')
    const room_file_id = await world.attached(room_id)
    await world.grant(room_file_id, people.guest)
    const archived = await us().archiveRoomFile({ room_file_id, expected_revision: 2 })
    assert.equal(archived.room_file.status, 'archived')
    assert.notEqual(archived.room_file.archived_at, null)
    assert.deepEqual(await world.seen(people.member, room_id), [])
    assert.equal(archived.room_file.file.lifecycle, 'active')
    // Archiving again changes nothing, and asks for the present revision as well.
    const again = await us().archiveRoomFile({ room_file_id, expected_revision: 3 })
    assert.deepEqual([again.room_file.revision, again.action_receipt.changed], [3, []])
    await refused(us().archiveRoomFile({ room_file_id, expected_revision: 2 }), 'revision_conflict')
    const restored = await us().restoreRoomFile({ room_file_id, expected_revision: 3 })
    assert.deepEqual(
      [restored.room_file.status, restored.room_file.revision, restored.room_file.archived_at],
      ['active', 4, null],
    )
    assert.equal(await world.levelOn(people.guest, room_file_id), 'view')
    assert.equal(await world.levelOn(people.rival, room_file_id), null)
    assert.deepEqual((await world.eventsOf(room_id)).slice(1), [
      'file.added_to_room',
      'file.permission_set',
      'file.removed_from_room',
      'file.added_to_room',
    ])
  })

  it('return a File as pending while its content is not ready', async () => {
    const room_id = await world.room()
    const room_file_id = await world.attached(room_id)
    const { room_file } = await us().archiveRoomFile({ room_file_id, expected_revision: 1 })
    await setProcessing(world.service, room_file.file.file_id, 'processing')
    const restored = await us().restoreRoomFile({ room_file_id, expected_revision: 2 })
    assert.deepEqual([restored.room_file.status, restored.room_file.file_version_id], ['pending', null])
    assert.deepEqual(await world.seen(world.people.member, room_id, { status: 'pending' }), ['Memorandum.md'])
    assert.deepEqual(await world.seen(world.people.member, room_id, { status: 'active' }), [])
  })

  it('refuse to return a File that is there, is attached again, or is archived itself', async () => {
    const { service } = world
    const room_id = await world.room()
    const file_id = await world.file()
    const { room_file } = await us().attachRoomFile({ room_id, file_id })
    const { room_file_id } = room_file
    await refused(us().restoreRoomFile({ room_file_id, expected_revision: 1 }), 'state_conflict')
    await us().archiveRoomFile({ room_file_id, expected_revision: 1 })
    await refused(us().restoreRoomFile({ room_file_id, expected_revision: 1 }), 'revision_conflict')
    await service.sql(`update files set lifecycle = 'archived', archived_at = now() where id = $1`, [file_id])
    await refused(us().restoreRoomFile({ room_file_id, expected_revision: 2 }), 'state_conflict')
    await service.sql(`update files set lifecycle = 'active', archived_at = null where id = $1`, [file_id])
    const second = await us().attachRoomFile({ room_id, file_id })
    await refused(us().restoreRoomFile({ room_file_id, expected_revision: 2 }), 'state_conflict')
    await us().archiveRoomFile({
      room_file_id: second.room_file.room_file_id,
      expected_revision: second.room_file.revision,
    })
    await us().restoreRoomFile({ room_file_id, expected_revision: 2 })
  })

  it('require edit on the File in the Room, and an active Room and parent', async () => {
    const { people, as } = world
    const parent_room_id = await world.room()
    const { room } = await us().createRoom({ title: 'Tax', parent_room_id })
    const { room_id } = room
    await world.invite(room_id, people.guest, 'view')
    const room_file_id = await world.attached(room_id)
    await refused(as(people.guest).archiveRoomFile({ room_file_id, expected_revision: 1 }), 'forbidden')
    await us().archiveRoom({ room_id: parent_room_id, expected_revision: 1 })
    await refused(us().archiveRoomFile({ room_file_id, expected_revision: 1 }), 'state_conflict')
    await us().restoreRoom({ room_id: parent_room_id, expected_revision: 2 })
    await us().archiveRoomFile({ room_file_id, expected_revision: 1 })
    await refused(as(people.guest).restoreRoomFile({ room_file_id, expected_revision: 2 }), 'not_found')
    await us().archiveRoom({ room_id, expected_revision: 1 })
    await refused(us().restoreRoomFile({ room_file_id, expected_revision: 2 }), 'state_conflict')
  })

  it('answer a repeated request to nobody who has lost the Room', async () => {
    const { people, as, service } = world
    const room_id = await world.room()
    await world.invite(room_id, people.admin, 'edit')
    const room_file_id = await world.attached(room_id)
    const request = { idempotency_key: crypto.randomUUID() }
    const archive = () => as(people.admin).archiveRoomFile({ room_file_id, expected_revision: 1 }, request)
    await archive()
    assert.equal((await archive()).idempotent_replay, true)
    await service.sql(
      `update room_participants set status = 'revoked' where room_id = $1 and user_id = $2 and status = 'active'`,
      [room_id, people.admin.user_id],
    )
    await refused(archive(), 'not_found')
  })
})
