import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { makeTaskWorld, type PersonName, type TaskWorld } from '../../tasks/task-fixture.ts'

describe('a File that a guest brings into a Room that hides guests', () => {
  let world: TaskWorld
  before(async () => {
    world = await makeTaskWorld()
  })
  after(() => world.service.close())

  /** A Room that hides the guest and the rival from each other, with a File that the guest has brought. */
  async function broughtByGuest() {
    const room_id = (await world.maskedRoom('edit')) as never
    const { file, room_file } = await world
      .by('guest')
      .createTextFile({ name: 'Bid.md', content: 'Five million', room_id })
    return {
      room_id,
      file_id: file.file_id,
      room_file_id: String(room_file?.room_file_id) as never,
    }
  }

  const listed = async (name: PersonName, room_id: never) =>
    (await world.by(name).listRoomFiles({ room_id })).data.map(one => one.file.name)

  it('is seen by this guest and by managers, and counts as restricted', async () => {
    const { room_id, file_id, room_file_id } = await broughtByGuest()
    assert.deepEqual(await listed('guest', room_id), ['Bid.md'])
    assert.deepEqual(await listed('member', room_id), ['Bid.md'])
    assert.deepEqual(await listed('rival', room_id), [])
    await refused(world.by('rival').getFile({ file_id }), 'not_found')
    await refused(world.by('rival').getRoomFile({ room_file_id }), 'not_found')
    assert.deepEqual((await world.by('rival').listFiles({ room_id })).data, [])
    assert.deepEqual((await world.by('guest').listFiles({ room_id })).data.length, 1)
    const { room_file } = await world.by('guest').getRoomFile({ room_file_id })
    assert.equal(room_file.access_mode, 'restricted')
    assert.equal(room_file.access_level, 'edit')
  })

  it('in such a Room, nobody reads by its id who takes part in another Room alone', async () => {
    const { room_id } = await broughtByGuest()
    const { file, room_file } = await world
      .by('member')
      .createTextFile({ name: 'Terms.md', content: 'For bidders', room_id })
    const [{ file_id }, room_file_id] = [file, String(room_file?.room_file_id) as never]
    assert.equal((await world.by('rival').getRoomFile({ room_file_id })).room_file.access_level, 'view')
    await world.maskedRoom('edit')
    const all = (await world.by('member').listParticipants({ room_id })).participants
    const rival = all.find(one => one.user_id === world.id('rival'))
    await world.by('member').revokeParticipant({ room_id, participant_id: rival?.participant_id as never })
    await refused(world.by('rival').getRoomFile({ room_file_id }), 'not_found')
    await refused(world.by('rival').getFile({ file_id }), 'not_found')
  })

  it('stays theirs when they change its place and add a version', async () => {
    const { room_id, file_id, room_file_id } = await broughtByGuest()
    await world.by('guest').updateRoomFile({ room_file_id, expected_revision: 1, index_path: 'Ours/Bid.md' })
    await world.by('guest').addFileVersion({ file_id, expected_revision: 1, size_bytes: 5 })
    assert.deepEqual(await listed('rival', room_id), [])
    assert.deepEqual(await listed('guest', room_id), ['Bid.md'])
  })

  it('is open to all once a manager says so, and the guest does not change it any more', async () => {
    const { room_id, file_id, room_file_id } = await broughtByGuest()
    const access_mode = 'inherit_room'
    await refused(
      world.by('guest').updateRoomFile({ room_file_id, expected_revision: 1, access_mode }),
      'forbidden',
    )
    await world.by('member').updateRoomFile({ room_file_id, expected_revision: 1, access_mode })
    assert.deepEqual(await listed('rival', room_id), ['Bid.md'])
    assert.equal((await world.by('rival').getFile({ file_id })).file.access_level, 'view')
    await refused(
      world.by('guest').updateFile({ file_id, expected_revision: 1, name: 'Better bid.md' }),
      'forbidden',
    )
  })

  it('is open to one person by a permission', async () => {
    const { room_id, room_file_id } = await broughtByGuest()
    const user_id = world.id('rival')
    await world.by('member').setRoomFilePermission({ room_file_id, user_id, access_level: 'view' })
    assert.deepEqual(await listed('rival', room_id), ['Bid.md'])
    assert.deepEqual(await listed('guest', room_id), ['Bid.md'])
  })

  it('follows guest_files of the Room at once', async () => {
    const { room_id } = await broughtByGuest()
    const { room } = await world.by('member').getRoom({ room_id })
    assert.equal(room.guest_files, 'uploader')
    const { revision: expected_revision } = room
    const changed = await world
      .by('member')
      .updateRoom({ room_id, expected_revision, guest_files: 'everyone' })
    assert.equal(changed.room.guest_files, 'everyone')
    assert.deepEqual(await listed('rival', room_id), ['Bid.md'])
    await world
      .by('member')
      .updateRoom({ room_id, expected_revision: expected_revision + 1, guest_files: 'uploader' })
    assert.deepEqual(await listed('rival', room_id), [])
  })

  it('is hidden when a Room begins to hide guests', async () => {
    const { room_id } = await broughtByGuest()
    await world.service.sql(`update rooms set participant_visibility = 'everyone' where id = $1`, [room_id])
    assert.deepEqual(await listed('rival', room_id), ['Bid.md'])
    await world.service.sql(`update rooms set participant_visibility = 'managers' where id = $1`, [room_id])
    assert.deepEqual(await listed('rival', room_id), [])
  })
})
