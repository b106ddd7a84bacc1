import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { createSlowStore, type SlowStore } from '../../blobs/slow-store.ts'
import { makeRoomWorld, type RoomWorld } from '../../rooms/room-fixture.ts'

describe('a request list whose File is in a slow store', () => {
  let world: RoomWorld
  let store: SlowStore
  before(async () => {
    store = await createSlowStore()
    world = await makeRoomWorld({ blobs: store.blobs })
  })
  after(async () => {
    await world.close()
    await store.remove()
  })

  const member = () => world.as(world.people.member)

  /** A Room with a list, and what a guest with edit access is told who uses the list while `meanwhile` happens. */
  async function readWhile(meanwhile: (ids: { room_id: string; room_file_id: string }) => Promise<unknown>) {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'edit')
    const content = 'title\nLeases'
    const { file, room_file } = await member().createTextFile({
      name: 'List.csv',
      format: 'csv',
      content,
      room_id,
    })
    return store.whileAsked(
      'read',
      () => world.as(world.people.guest).createRoomRequests({ room_id, file_id: file.file_id }),
      () => meanwhile({ room_id, room_file_id: String(room_file?.room_file_id) }),
    )
  }

  it('does not keep others from changing the Room, and is then created', async () => {
    const { data } = await readWhile(({ room_id }) =>
      member().updateRoom({ room_id, expected_revision: 1, title: 'Changed meanwhile' }),
    )
    assert.equal(data.created, 1)
  })

  it('is not created if the Room was archived meanwhile', async () => {
    const answer = readWhile(({ room_id }) => member().archiveRoom({ room_id, expected_revision: 1 }))
    await refused(answer, 'state_conflict')
  })

  it('is not created if the File was restricted to others meanwhile', async () => {
    const { user_id } = world.people.member
    const answer = readWhile(({ room_file_id }) =>
      member().setRoomFilePermission({ room_file_id, user_id, access_level: 'view' }),
    )
    await refused(answer, 'not_found')
  })

  it('is 503 if the store cannot be reached', async () => {
    const room_id = await world.room()
    const { file } = await member().createTextFile({
      name: 'A.csv',
      format: 'csv',
      content: 'title\nA',
      room_id,
    })
    store.breakDown()
    await refused(member().createRoomRequests({ room_id, file_id: file.file_id }), 'unavailable')
  })
})
