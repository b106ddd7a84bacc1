import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addBusiness } from '../harness/businesses.ts'
import { refused } from '../harness/refused.ts'
import { makeRoomWorld, type RoomWorld } from './room-fixture.ts'

let world: RoomWorld
before(async () => void (world = await makeRoomWorld()))
after(() => world.close())
const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])
const newRoom = async (parent_room_id?: string) =>
  (await client('member').createRoom({ title: 'Sale', ...(parent_room_id && { parent_room_id }) })).room
    .room_id

describe('POST /v1/rooms/{room_id}/archive', () => {
  it('makes a Room read-only', async () => {
    const room_id = await newRoom()
    const business_id = await addBusiness(world.service, { name: 'Glacier' })
    const { room, action_receipt } = await client('member').archiveRoom({ room_id, expected_revision: 1 })
    assert.deepEqual([room.status, room.revision], ['archived', 2])
    assert.equal(room.archived_at, room.updated_at)
    assert.equal(action_receipt.action, 'archive_room')
    assert.equal((await client('member').getRoom({ room_id })).room.status, 'archived')
    for (const change of [
      () => client('member').updateRoom({ room_id, expected_revision: 2, title: 'New' }),
      () =>
        client('member').attachRoomResource({ room_id, resource_type: 'business', resource_id: business_id }),
      () => client('member').createRoom({ title: 'Below', parent_room_id: room_id }),
    ])
      assert.equal((await refused(change(), 'state_conflict')).current_status, 'archived')
  })

  it('answers 200 for an archived Room and changes nothing, if the revision matches', async () => {
    const room_id = await newRoom()
    const first = await client('member').archiveRoom({ room_id, expected_revision: 1 })
    const again = await client('member').archiveRoom({ room_id, expected_revision: 2 })
    assert.deepEqual([again.room, again.idempotent_replay], [first.room, false])
    assert.deepEqual(again.action_receipt.changed, [])
    await refused(client('member').archiveRoom({ room_id, expected_revision: 1 }), 'revision_conflict')
    assert.deepEqual(await world.eventsOf(room_id), ['room.created', 'room.archived'])
  })

  it('makes sub-rooms read-only without changing their status', async () => {
    const parent = await newRoom()
    const sub = await newRoom(parent)
    await client('member').archiveRoom({ room_id: parent, expected_revision: 1 })
    assert.equal((await client('member').getRoom({ room_id: sub })).room.status, 'active')
    const change = { room_id: sub, expected_revision: 1, title: 'New' }
    await refused(client('member').updateRoom(change), 'state_conflict')
    await client('member').restoreRoom({ room_id: parent, expected_revision: 2 })
    await client('member').updateRoom(change)
  })

  it('requires full access', async () => {
    const room_id = await newRoom()
    await world.invite(room_id, world.people.owner, 'edit')
    await refused(client('owner').archiveRoom({ room_id, expected_revision: 1 }), 'forbidden')
    await refused(client('admin').archiveRoom({ room_id, expected_revision: 1 }), 'not_found')
  })

  it('does not race with the creation of a sub-room', async () => {
    for (let round = 0; round < 5; round++) {
      const room_id = await newRoom()
      const results = await Promise.allSettled([
        client('member').archiveRoom({ room_id, expected_revision: 1 }),
        ...Array.from({ length: 4 }, () => newRoom(room_id)),
      ])
      assert.equal(results[0]?.status, 'fulfilled')
      const [{ late }] = (await world.service.sql(
        `select count(*)::int as late from events sub join rooms r on r.id = sub.room_id
         join events archived on archived.room_id = r.parent_id and archived.type = 'room.archived'
         where sub.type = 'room.created' and r.parent_id = $1 and sub.position > archived.position`,
        [room_id],
      )) as [{ late: number }]
      assert.equal(late, 0)
    }
  })
})

describe('POST /v1/rooms/{room_id}/restore', () => {
  it('makes an archived Room active again', async () => {
    const room_id = await newRoom()
    await client('member').archiveRoom({ room_id, expected_revision: 1 })
    const { room, action_receipt } = await client('member').restoreRoom({ room_id, expected_revision: 2 })
    assert.deepEqual([room.status, room.archived_at, room.revision], ['active', null, 3])
    assert.equal(action_receipt.action, 'restore_room')
    assert.deepEqual(await world.eventsOf(room_id), ['room.created', 'room.archived', 'room.restored'])
  })

  it('refuses an active Room, and a sub-room of an archived Room', async () => {
    const room_id = await newRoom()
    assert.equal(
      (await refused(client('member').restoreRoom({ room_id, expected_revision: 1 }), 'state_conflict'))
        .current_status,
      'active',
    )
    const sub = await newRoom(room_id)
    await client('member').archiveRoom({ room_id: sub, expected_revision: 1 })
    await client('member').archiveRoom({ room_id, expected_revision: 1 })
    await refused(client('member').restoreRoom({ room_id: sub, expected_revision: 2 }), 'state_conflict')
  })
})
