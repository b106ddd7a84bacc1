import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { addBusiness } from '../harness/businesses.ts'
import { refused } from '../harness/refused.ts'
import { makeRoomWorld, type RoomWorld } from './room-fixture.ts'

let world: RoomWorld
before(async () => void (world = await makeRoomWorld()))
after(() => world.close())
const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])
const newRoom = async () => (await client('member').createRoom({ title: 'Sale' })).room.room_id

describe('PATCH /v1/rooms/{room_id}', () => {
  it('changes title and purpose as a new revision, with an event that names the fields', async () => {
    const room_id = await newRoom()
    const { room, action_receipt } = await client('member').updateRoom({
      room_id,
      expected_revision: 1,
      title: 'Sale of Glacier',
      purpose: 'To find a buyer',
    })
    assert.deepEqual([room.title, room.purpose, room.revision], ['Sale of Glacier', 'To find a buyer', 2])
    assert.equal(action_receipt.action, 'update_room')
    assert.deepEqual(action_receipt.changed, ['title', 'purpose'])
    const cleared = await client('member').updateRoom({ room_id, expected_revision: 2, purpose: null })
    assert.equal(cleared.room.purpose, null)
    assert.deepEqual(await world.eventsOf(room_id), ['room.created', 'room.updated', 'room.updated'])
  })

  it('grants and removes general access, effective with the next request', async () => {
    const room_id = await newRoom()
    await refused(client('viewer').getRoom({ room_id }), 'not_found')
    await client('member').updateRoom({ room_id, expected_revision: 1, general_access: 'workspace' })
    assert.equal((await client('viewer').getRoom({ room_id })).room.access_level, 'view')
    await client('member').updateRoom({ room_id, expected_revision: 2, general_access_level: 'edit' })
    assert.equal((await client('viewer').getRoom({ room_id })).room.access_level, 'edit')
    await client('member').updateRoom({ room_id, expected_revision: 3, general_access: 'invited_only' })
    await refused(client('viewer').getRoom({ room_id }), 'not_found')
    assert.deepEqual((await world.eventsOf(room_id)).slice(1), Array(3).fill('room.access_changed'))
  })

  it('requires full access, and answers 404 to those who cannot see the Room', async () => {
    const room_id = await newRoom()
    const change = { room_id, expected_revision: 99, title: 'Mine' }
    await refused(client('owner').updateRoom(change), 'not_found')
    await world.invite(room_id, world.people.owner, 'edit')
    await refused(client('owner').updateRoom(change), 'forbidden')
  })

  it('does not create a revision if nothing changes', async () => {
    const room_id = await newRoom()
    const { room, action_receipt } = await client('member').updateRoom({
      room_id,
      expected_revision: 1,
      title: 'Sale',
    })
    assert.equal(room.revision, 1)
    assert.deepEqual(action_receipt.changed, [])
    assert.deepEqual(await world.eventsOf(room_id), ['room.created'])
    const { errors } = await refused(
      client('member').updateRoom({ room_id, expected_revision: 1 }),
      'validation_error',
    )
    assert.deepEqual(
      errors.map(one => one.code),
      ['required'],
    )
  })

  it('refuses conflicting changes', async () => {
    const room_id = await newRoom()
    for (const [change, pointer] of [
      [{ general_access: 'business' }, '/general_access'],
      [{ general_access_level: 'edit' }, '/general_access_level'],
      [{ general_access: 'invited_only', general_access_level: 'view' }, '/general_access_level'],
      [{ general_access_level: 'full_access' }, '/general_access_level'],
      [{ title: null }, '/title'],
    ] as const) {
      const { errors } = await refused(
        client('member').updateRoom({ room_id, expected_revision: 1, ...(change as object) }),
        'validation_error',
      )
      assert.deepEqual(
        errors.map(one => one.pointer),
        [pointer],
      )
    }
  })

  it('checks the revision last', async () => {
    const room_id = await newRoom()
    await client('member').updateRoom({ room_id, expected_revision: 1, title: 'New' })
    const { expected, current, changed_fields } = await refused(
      client('member').updateRoom({ room_id, expected_revision: 1, title: 'Newer' }),
      'revision_conflict',
    )
    assert.deepEqual([expected, current, changed_fields], [1, 2, ['title']])
    await client('member').archiveRoom({ room_id, expected_revision: 2 })
    const { current_status } = await refused(
      client('member').updateRoom({ room_id, expected_revision: 1, title: 'Newer' }),
      'state_conflict',
    )
    assert.equal(current_status, 'archived')
  })

  it('replays its answer although the Room was archived since', async () => {
    const room_id = await newRoom()
    const change = { room_id, expected_revision: 1, title: 'New' }
    const options = { idempotency_key: randomUUID() }
    const first = await client('member').updateRoom(change, options)
    await client('member').archiveRoom({ room_id, expected_revision: 2 })
    const again = await client('member').updateRoom(change, options)
    assert.equal(again.idempotent_replay, true)
    assert.deepEqual([again.room, again.action_receipt], [first.room, first.action_receipt])
    assert.equal(again.room.status, 'active')
  })

  it('does not replay to a caller who has lost the Room', async () => {
    const room_id = await newRoom()
    const id = await world.invite(room_id, world.people.owner, 'full_access')
    const change = { room_id, expected_revision: 1, title: 'New' }
    const options = { idempotency_key: randomUUID() }
    await client('owner').updateRoom(change, options)
    await world.service.sql(`update room_participants set status = 'revoked' where id = $1`, [id])
    await refused(client('owner').updateRoom(change, options), 'not_found')
  })

  it('applies one of 50 concurrent changes of a revision', async () => {
    const room_id = await newRoom()
    const answers = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) =>
        client('member').updateRoom({ room_id, expected_revision: 1, title: `Title ${i}` }),
      ),
    )
    assert.equal(answers.filter(answer => answer.status === 'fulfilled').length, 1)
    assert.equal((await client('member').getRoom({ room_id })).room.revision, 2)
    assert.deepEqual(await world.eventsOf(room_id), ['room.created', 'room.updated'])
  })

  it('ends general access by Business when the Business is no longer visible', async () => {
    const business_id = await addBusiness(world.service, { name: 'Glacier' })
    const { room } = await client('member').createRoom({ title: 'Sale', business_id })
    await client('viewer').getRoom({ room_id: room.room_id })
    await world.service.sql(`update businesses set publication_status = 'withdrawn' where id = $1`, [
      business_id,
    ])
    await world.service.sql('select project_businesses(array[$1])', [business_id])
    await refused(client('viewer').getRoom({ room_id: room.room_id }), 'not_found')
    assert.equal((await client('member').getRoom({ room_id: room.room_id })).room.access_level, 'full_access')
  })
})
