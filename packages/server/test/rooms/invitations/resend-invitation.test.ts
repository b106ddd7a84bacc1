import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { makeRoomWorld, type RoomWorld } from '../room-fixture.ts'

let world: RoomWorld
before(async () => void (world = await makeRoomWorld()))
after(() => world.close())
const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])

describe('POST /v1/rooms/{room_id}/participants/{participant_id}/resend', () => {
  it('mails a new link, invalidates the old one, and restarts the 14 days', async () => {
    const room_id = await world.room()
    const { participant_id, email, token: old } = await world.mailed(room_id)
    await world.service.sql(
      `update room_participants set invited_until = now() + interval '1 hour' where id = $1`,
      [participant_id],
    )
    const { participant, action_receipt } = await client('member').resendInvitation({
      room_id,
      participant_id,
    })
    assert.ok(Date.parse(participant.invited_until ?? '') > Date.now() + 13 * 86_400_000)
    assert.equal(action_receipt.action, 'resend_invitation')
    const token = await world.mailbox.token(email, 2)
    await refused(world.service.anonymous.inspectInvitation({ token: old }), 'not_found')
    const zoe = world.holder(email)
    await refused(zoe.client.acceptInvitation({ token: old }), 'not_found')
    await zoe.client.acceptInvitation({ token })
    assert.deepEqual((await world.eventsOf(room_id)).slice(1), [
      'participant.invited',
      'participant.invited',
      'participant.joined',
    ])
  })

  it('refuses invitations that are not pending', async () => {
    const room_id = await world.room()
    const { participant_id } = await world.mailed(room_id)
    const resend = () => client('member').resendInvitation({ room_id, participant_id })
    for (const [change, current] of [
      ['invited_until = now()', 'expired'],
      [`status = 'declined'`, 'declined'],
      [`status = 'revoked'`, 'revoked'],
    ]) {
      await world.service.sql(`update room_participants set ${change} where id = $1`, [participant_id])
      assert.equal((await refused(resend(), 'state_conflict')).current_status, current)
    }
    const active = await world.invite(room_id, world.people.guest, 'view')
    await refused(client('member').resendInvitation({ room_id, participant_id: active }), 'state_conflict')
  })

  it('requires edit access and at least the level of the invitation', async () => {
    const room_id = await world.room()
    const { participant_id } = await world.mailed(room_id, undefined, 'full_access')
    await world.invite(room_id, world.people.guest, 'view')
    await world.invite(room_id, world.people.admin, 'edit')
    for (const name of ['guest', 'admin'] as const)
      await refused(client(name).resendInvitation({ room_id, participant_id }), 'forbidden')
    await refused(client('owner').resendInvitation({ room_id, participant_id }), 'not_found')
    await refused(client('member').resendInvitation({ room_id, participant_id: randomUUID() }), 'not_found')
    await client('member').updateParticipant({ room_id, participant_id, access_level: 'edit' })
    await client('admin').resendInvitation({ room_id, participant_id })
  })

  it('refuses an archived Room', async () => {
    const room_id = await world.room()
    const { participant_id } = await world.mailed(room_id)
    await client('member').archiveRoom({ room_id, expected_revision: 1 })
    await refused(client('member').resendInvitation({ room_id, participant_id }), 'state_conflict')
  })
})
