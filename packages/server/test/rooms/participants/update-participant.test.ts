import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { makeRoomWorld, someAddress, type RoomWorld } from '../room-fixture.ts'

let world: RoomWorld
before(async () => void (world = await makeRoomWorld()))
after(() => world.close())
const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])

/** The member's own participation in a Room of theirs. */
const founderOf = async (room_id: string) =>
  (await client('member').listParticipants({ room_id })).participants[0]?.participant_id ?? ''

describe('PATCH /v1/rooms/{room_id}/participants/{participant_id}', () => {
  it('changes the level of an active participant, effective with the next request', async () => {
    const room_id = await world.room()
    const participant_id = await world.invite(room_id, world.people.guest, 'view')
    const attach = { room_id, expected_revision: 1, title: 'Mine' }
    await refused(client('guest').updateRoom(attach), 'forbidden')
    const { participant, action_receipt } = await client('member').updateParticipant({
      room_id,
      participant_id,
      access_level: 'full_access',
    })
    assert.deepEqual([participant.access_level, participant.status], ['full_access', 'active'])
    assert.deepEqual(
      [action_receipt.action, action_receipt.changed],
      ['update_participant', ['access_level']],
    )
    const { room } = await client('guest').updateRoom(attach)
    assert.equal(room.revision, 2, 'whose level it was counts no revision')
    const [event] = await world.service.sql(
      `select about, data from events where room_id = $1 and type = 'participant.access_changed'`,
      [room_id],
    )
    const { user_id, email, name } = world.people.guest
    assert.deepEqual(event, {
      about: { user_id, email, name },
      data: { access_level: 'full_access', previous_access_level: 'view' },
    })
  })

  it('changes the level of a pending invitation', async () => {
    const room_id = await world.room()
    const { participant_id, email, token } = await world.mailed(room_id)
    await client('member').updateParticipant({ room_id, participant_id, access_level: 'edit' })
    const { participant, room } = await world.holder(email).client.acceptInvitation({ token })
    assert.deepEqual([participant?.access_level, room?.access_level], ['edit', 'edit'])
  })

  it('changes nothing if the level is the same', async () => {
    const room_id = await world.room()
    const participant_id = await founderOf(room_id)
    const { participant, action_receipt } = await client('member').updateParticipant({
      room_id,
      participant_id,
      access_level: 'full_access',
    })
    assert.equal(participant.updated_at, participant.created_at)
    assert.deepEqual(action_receipt.changed, [])
    assert.deepEqual(await world.eventsOf(room_id), ['room.created'])
  })

  it('requires full access', async () => {
    const room_id = await world.room()
    const participant_id = await world.invite(room_id, world.people.guest, 'edit')
    await world.invite(room_id, world.people.admin, 'edit')
    for (const name of ['guest', 'admin'] as const)
      await refused(
        client(name).updateParticipant({ room_id, participant_id, access_level: 'view' }),
        'forbidden',
      )
    await refused(
      client('owner').updateParticipant({ room_id, participant_id, access_level: 'view' }),
      'not_found',
    )
    await refused(
      client('member').updateParticipant({ room_id, participant_id: randomUUID(), access_level: 'view' }),
      'not_found',
    )
  })

  it('keeps a manager without an end date: invitations and temporary managers do not count', async () => {
    const room_id = await world.room()
    const participant_id = await founderOf(room_id)
    const lower = () => client('member').updateParticipant({ room_id, participant_id, access_level: 'edit' })
    assert.equal((await refused(lower(), 'state_conflict')).current_status, 'last_full_access')
    await client('member').inviteParticipant({ room_id, email: someAddress(), access_level: 'full_access' })
    await refused(lower(), 'state_conflict')
    const guest_id = await world.invite(room_id, world.people.guest, 'full_access')
    await world.service.sql(
      `update room_participants set expires_at = now() + interval '1 day' where id = $1`,
      [guest_id],
    )
    await refused(lower(), 'state_conflict')
    await world.invite(room_id, world.people.admin, 'full_access')
    assert.equal((await lower()).participant.access_level, 'edit')
  })

  it('refuses a participation that has ended, and an archived Room', async () => {
    const room_id = await world.room()
    const participant_id = await world.invite(room_id, world.people.guest, 'view')
    const change = () => client('member').updateParticipant({ room_id, participant_id, access_level: 'edit' })
    await world.service.sql('update room_participants set expires_at = now() where id = $1', [participant_id])
    assert.equal((await refused(change(), 'state_conflict')).current_status, 'expired')
    await world.service.sql(
      `update room_participants set expires_at = null, status = 'revoked' where id = $1`,
      [participant_id],
    )
    assert.equal((await refused(change(), 'state_conflict')).current_status, 'revoked')
    await world.service.sql(`update room_participants set status = 'active' where id = $1`, [participant_id])
    await client('member').archiveRoom({ room_id, expected_revision: 1 })
    assert.equal((await refused(change(), 'state_conflict')).current_status, 'archived')
  })

  it('refuses an invalid level, and an empty change', async () => {
    const room_id = await world.room()
    const participant_id = await founderOf(room_id)
    for (const wrong of [{}, { access_level: null }, { access_level: 'owner' }])
      await refused(
        client('member').updateParticipant({ room_id, participant_id, ...wrong } as never),
        'validation_error',
      )
  })

  it('never leaves a Room without a manager in a race with revoking and leaving', async () => {
    for (let round = 0; round < 4; round++) {
      const room_id = await world.room()
      const ids = [await founderOf(room_id)]
      for (const name of ['admin', 'owner', 'guest'] as const)
        ids.push(await world.invite(room_id, world.people[name], 'full_access'))
      const names = ['member', 'admin', 'owner', 'guest'] as const
      await Promise.allSettled(
        names.flatMap((name, i) => [
          client(name).updateParticipant({ room_id, participant_id: ids[i] ?? '', access_level: 'view' }),
          client(name).updateParticipant({
            room_id,
            participant_id: ids[(i + 1) % 4] ?? '',
            access_level: 'view',
          }),
          client(name).leaveRoom({ room_id }),
          client(name).revokeParticipant({ room_id, participant_id: ids[(i + 2) % 4] ?? '' }),
        ]),
      )
      const left = await world.service.sql(
        `select from room_participants where room_id = $1 and status = 'active' and access_level = 'full_access'`,
        [room_id],
      )
      assert.ok(left.length >= 1 && left.length < 4)
    }
  })
})
