import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addBusiness } from '../../harness/businesses.ts'
import { eventually } from '../../harness/eventually.ts'
import { refused } from '../../harness/refused.ts'
import { makeRoomWorld, someAddress, type RoomWorld } from '../room-fixture.ts'

let world: RoomWorld
before(async () => void (world = await makeRoomWorld()))
after(() => world.close())
const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])

describe('POST /v1/rooms/{room_id}/participants/{participant_id}/revoke', () => {
  it('ends the access of a participant with the next request; with the last Room, their standing ends', async () => {
    const [room_id, other] = [await world.room(), await world.room()]
    const guest = world.holder(someAddress())
    const first = await world.mailed(room_id, guest.email)
    const second = await world.mailed(other, guest.email)
    for (const { token } of [first, second]) await guest.client.acceptInvitation({ token })
    const { participant, action_receipt } = await client('member').revokeParticipant({
      room_id,
      participant_id: first.participant_id,
    })
    assert.deepEqual([participant.status, participant.user_id], ['revoked', guest.user_id])
    assert.deepEqual([action_receipt.action, action_receipt.changed], ['revoke_participant', ['status']])
    await refused(world.as(guest).getRoom({ room_id }), 'not_found')
    assert.equal((await world.as(guest).getRoom({ room_id: other })).room.room_id, other)
    await client('member').revokeParticipant({ room_id: other, participant_id: second.participant_id })
    await refused(world.as(guest).getRoom({ room_id: other }), 'forbidden')
    await refused(world.as(guest).listRooms({}), 'forbidden')
    assert.deepEqual((await world.eventsOf(room_id)).slice(1), [
      'participant.invited',
      'participant.joined',
      'participant.revoked',
    ])
  })

  it('ends a pending invitation, whose token is no longer valid', async () => {
    const room_id = await world.room()
    const { participant_id, email, token } = await world.mailed(room_id)
    await client('member').revokeParticipant({ room_id, participant_id })
    assert.equal((await world.service.anonymous.inspectInvitation({ token })).data.status, 'revoked')
    for (const answer of [
      world.holder(email).client.acceptInvitation,
      world.holder(email).client.declineInvitation,
    ])
      await refused(answer({ token }), 'not_found')
  })

  it('refuses a participation that has ended', async () => {
    const room_id = await world.room()
    const participant_id = await world.invite(room_id, world.people.guest, 'view')
    const revoke = () => client('member').revokeParticipant({ room_id, participant_id })
    await revoke()
    assert.equal((await refused(revoke(), 'state_conflict')).current_status, 'revoked')
    for (const [change, current] of [
      [`status = 'declined'`, 'declined'],
      [`status = 'left'`, 'revoked'],
      [`status = 'active', expires_at = now()`, 'expired'],
    ]) {
      await world.service.sql(`update room_participants set ${change} where id = $1`, [participant_id])
      assert.equal((await refused(revoke(), 'state_conflict')).current_status, current)
    }
  })

  it('requires full access, or to have sent the pending invitation', async () => {
    const room_id = await world.room()
    const guest_id = await world.invite(room_id, world.people.guest, 'edit')
    await world.invite(room_id, world.people.admin, 'edit')
    const email = someAddress()
    const { participant } = await client('guest').inviteParticipant({ room_id, email, access_level: 'view' })
    const named = { room_id, participant_id: participant.participant_id }
    await world.mailbox.token(email, 1)
    await refused(client('admin').revokeParticipant(named), 'forbidden')
    await refused(client('admin').revokeParticipant({ room_id, participant_id: guest_id }), 'forbidden')
    await refused(client('owner').revokeParticipant(named), 'not_found')
    await refused(client('member').revokeParticipant({ room_id, participant_id: randomUUID() }), 'not_found')
    await client('guest').revokeParticipant(named)
    const again = await client('guest').inviteParticipant({ room_id, email, access_level: 'view' })
    await world.holder(email).client.acceptInvitation({ token: await world.mailbox.token(email, 2) })
    await refused(
      client('guest').revokeParticipant({ room_id, participant_id: again.participant.participant_id }),
      'forbidden',
    )
  })

  it('refuses to remove the last manager', async () => {
    const room_id = await world.room()
    const [founder] = (await client('member').listParticipants({ room_id })).participants
    const revoke = () =>
      client('member').revokeParticipant({ room_id, participant_id: founder?.participant_id ?? '' })
    assert.equal((await refused(revoke(), 'state_conflict')).current_status, 'last_full_access')
    await world.invite(room_id, world.people.admin, 'full_access')
    await revoke()
    await refused(client('member').getRoom({ room_id }), 'not_found')
  })

  it('works in archived Rooms', async () => {
    const room_id = await world.room()
    const participant_id = await world.invite(room_id, world.people.guest, 'view')
    await client('member').archiveRoom({ room_id, expected_revision: 1 })
    const { participant } = await client('member').revokeParticipant({ room_id, participant_id })
    assert.equal(participant.status, 'revoked')
  })

  it('replays to a caller who can still see the participant', async () => {
    const room_id = await world.room()
    const participant_id = await world.invite(room_id, world.people.guest, 'view')
    const options = { idempotency_key: randomUUID() }
    const first = await client('member').revokeParticipant({ room_id, participant_id }, options)
    const again = await client('member').revokeParticipant({ room_id, participant_id }, options)
    assert.equal(again.idempotent_replay, true)
    assert.deepEqual(again.participant, first.participant)
    assert.equal((await world.eventsOf(room_id)).filter(type => type === 'participant.revoked').length, 1)
  })

  it('keeps every later change of the participant from committing, under load', async () => {
    const business_id = await addBusiness(world.service, { name: 'Pier' })
    for (let round = 0; round < 3; round++) {
      const room_id = await world.room()
      const participant_id = await world.invite(room_id, world.people.guest, 'edit')
      const ending = new AbortController()
      const attachAndDetach = async () => {
        const attaching = { room_id, resource_type: 'business', resource_id: business_id } as const
        const { room } = await client('guest').attachRoomResource(attaching)
        const attachment_id = room.attachments[0]?.attachment_id ?? ''
        await client('guest').detachRoomResource({ room_id, attachment_id })
      }
      // Requests attach and detach concurrently; all are refused in the end.
      const busy = Array.from({ length: 8 }, async () => {
        while (!ending.signal.aborted) await attachAndDetach().catch(() => undefined)
      })
      await eventually(async () => (await world.eventsOf(room_id)).length > 8)
      await client('member').revokeParticipant({ room_id, participant_id })
      // Changes before the answer are in this count; none may follow.
      const before = await world.eventsOf(room_id)
      assert.equal(before.at(-1), 'participant.revoked')
      await sleep(200)
      ending.abort()
      await Promise.all(busy)
      assert.deepEqual(await world.eventsOf(room_id), before)
    }
  })
})
