import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { makeRoomWorld, someAddress, type RoomWorld } from '../room-fixture.ts'

let world: RoomWorld
before(async () => void (world = await makeRoomWorld()))
after(() => world.close())
const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])

describe('POST /v1/rooms/{room_id}/leave', () => {
  it('ends the participation of the caller; the last one of a guest ends their standing', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.viewer, 'view')
    const { email, token } = await world.mailed(room_id)
    const zoe = world.holder(email)
    await zoe.client.acceptInvitation({ token })
    const { participant, action_receipt } = await world.as(zoe).leaveRoom({ room_id })
    assert.deepEqual([participant.status, participant.user_id], ['revoked', zoe.user_id])
    assert.deepEqual([action_receipt.action, action_receipt.changed], ['leave_room', ['status']])
    await refused(world.as(zoe).getRoom({ room_id }), 'forbidden')
    await client('viewer').leaveRoom({ room_id })
    await refused(client('viewer').getRoom({ room_id }), 'not_found')
    assert.deepEqual((await world.eventsOf(room_id)).slice(-2), ['participant.left', 'participant.left'])
  })

  it('keeps general access, and refuses a caller who has nothing else', async () => {
    const room_id = await world.room()
    await client('member').updateRoom({ room_id, expected_revision: 1, general_access: 'workspace' })
    await world.invite(room_id, world.people.admin, 'edit')
    await client('admin').leaveRoom({ room_id })
    assert.equal((await client('admin').getRoom({ room_id })).room.access_level, 'view')
    assert.equal(
      (await refused(client('admin').leaveRoom({ room_id }), 'state_conflict')).current_status,
      'no_participant',
    )
  })

  it('refuses the last manager, and API keys', async () => {
    const room_id = await world.room()
    await client('member').inviteParticipant({ room_id, email: someAddress(), access_level: 'full_access' })
    await refused(client('member').leaveRoom({ room_id }), 'state_conflict')
    const { secret } = await world.service.apiKey(world.workspace_id, world.people.member, [
      'rooms:read',
      'rooms:write',
      'rooms:share',
    ])
    await refused(
      world.service.client({ api_key: secret, workspace_id: world.workspace_id }).leaveRoom({ room_id }),
      'forbidden',
    )
    await world.invite(room_id, world.people.admin, 'full_access')
    await client('member').leaveRoom({ room_id })
  })

  it('lets one of two managers go who leave at the same time', async () => {
    for (let round = 0; round < 4; round++) {
      const room_id = await world.room()
      await world.invite(room_id, world.people.admin, 'full_access')
      const left = await Promise.allSettled([
        client('member').leaveRoom({ room_id }),
        client('admin').leaveRoom({ room_id }),
      ])
      assert.deepEqual(left.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    }
  })

  it('works in archived Rooms, and answers 404 for hidden ones', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'view')
    await client('member').archiveRoom({ room_id, expected_revision: 1 })
    await client('guest').leaveRoom({ room_id })
    await refused(client('owner').leaveRoom({ room_id }), 'not_found')
  })

  it('is followed by a new participant after another invitation', async () => {
    const room_id = await world.room()
    const zoe = world.holder(someAddress())
    const first = await world.mailed(room_id, zoe.email)
    await zoe.client.acceptInvitation({ token: first.token })
    await world.as(zoe).leaveRoom({ room_id })
    const second = await world.mailed(room_id, zoe.email)
    assert.notEqual(second.participant_id, first.participant_id)
    await zoe.client.acceptInvitation({ token: second.token })
    assert.equal((await world.as(zoe).getRoom({ room_id })).room.access_level, 'view')
  })
})
