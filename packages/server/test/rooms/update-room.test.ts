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
  it('changes title and purpose, as a new revision, with an event that says what', async () => {
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

  it('opens a Room to the Workspace and closes it again, from the next request on', async () => {
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

  it('takes full access: edit is not enough, and who does not see the Room learns nothing of it', async () => {
    const room_id = await newRoom()
    const change = { room_id, expected_revision: 99, title: 'Mine' }
    await refused(client('owner').updateRoom(change), 'not_found')
    await world.invite(room_id, world.people.owner, 'edit')
    await refused(client('owner').updateRoom(change), 'forbidden')
  })

  it('changes nothing, and counts no revision, where all is so already', async () => {
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

  it('refuses what the Room cannot become', async () => {
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

  it('is refused on another revision, after all that says less', async () => {
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

  it('answers its first success again under the same key, though the Room was archived since', async () => {
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

  it('tells nobody again who has lost the Room since', async () => {
    const room_id = await newRoom()
    const id = await world.invite(room_id, world.people.owner, 'full_access')
    const change = { room_id, expected_revision: 1, title: 'New' }
    const options = { idempotency_key: randomUUID() }
    await client('owner').updateRoom(change, options)
    await world.service.sql(`update room_participants set status = 'revoked' where id = $1`, [id])
    await refused(client('owner').updateRoom(change, options), 'not_found')
  })

  it('lets one of 50 at once win on a revision', async () => {
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

  it('shows a Business’s Room to nobody by its Business once that can be seen no more', async () => {
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
