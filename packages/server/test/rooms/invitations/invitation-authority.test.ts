import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { AccessLevel } from '@wbs/contract/scopes'
import type { Person } from '../../harness/service.ts'
import { refused } from '../../harness/refused.ts'
import { makeRoomWorld, someAddress, type RoomWorld } from '../room-fixture.ts'

describe('the authority of a Room invitation follows its sender', () => {
  let world: RoomWorld
  before(async () => void (world = await makeRoomWorld()))
  after(() => world.close())

  interface Sent {
    room_id: string
    sender: Person
    /** The sender's own participation in the Room. */
    senders_id: string
    participant_id: string
    email: string
    token: string
  }
  const manager = () => world.as(world.people.member)
  const accept = ({ email, token }: { email: string; token: string }) =>
    world.holder(email).client.acceptInvitation({ token })

  /** An invitation by a participant with full access to the Room. */
  async function sent(sender: Person, access_level: AccessLevel = 'full_access'): Promise<Sent> {
    const room_id = await world.room()
    const senders_id = await world.invite(room_id, sender, 'full_access')
    const email = someAddress()
    const { participant } = await world.as(sender).inviteParticipant({ room_id, email, access_level })
    const token = await world.mailbox.token(email, 1)
    return { room_id, sender, senders_id, participant_id: participant.participant_id, email, token }
  }

  async function sentByMember(access_level?: AccessLevel): Promise<Sent & { membership_id: string }> {
    const sender = world.service.person('Max')
    const membership_id = await world.service.join(world.workspace_id, sender, 'member')
    return { ...(await sent(sender, access_level)), membership_id }
  }

  async function assertRevoked(invitation: Sent): Promise<void> {
    const { room_id, participant_id, token } = invitation
    const { data } = await world.service.anonymous.inspectInvitation({ token })
    assert.equal(data.status, 'revoked')
    await refused(accept(invitation), 'not_found')
    await refused(world.holder(invitation.email).client.declineInvitation({ token }), 'not_found')
    const { participant } = await manager().getParticipant({ room_id, participant_id })
    assert.equal(participant.status, 'revoked')
    const { participants } = await manager().listParticipants({ room_id })
    assert.ok(!participants.some(one => one.participant_id === participant_id))
    await refused(manager().resendInvitation({ room_id, participant_id }), 'state_conflict')
    await refused(manager().revokeParticipant({ room_id, participant_id }), 'state_conflict')
    await refused(
      manager().updateParticipant({ room_id, participant_id, access_level: 'view' }),
      'state_conflict',
    )
  }

  const guestsLosses: [string, (sent: Sent) => Promise<unknown>][] = [
    [
      'nothing after a guest was revoked from the Room',
      ({ room_id, senders_id }) => manager().revokeParticipant({ room_id, participant_id: senders_id }),
    ],
    ['nothing after a guest left', ({ room_id, sender }) => world.as(sender).leaveRoom({ room_id })],
    [
      'nothing after the time of a guest was over',
      ({ senders_id }) =>
        world.service.sql('update room_participants set expires_at = now() where id = $1', [senders_id]),
    ],
    [
      'nothing after a guest has less than they gave',
      ({ room_id, senders_id }) =>
        manager().updateParticipant({ room_id, participant_id: senders_id, access_level: 'edit' }),
    ],
  ]
  for (const [title, lose] of guestsLosses)
    it(title, async () => {
      const invitation = await sent(world.people.guest)
      await lose(invitation)
      await assertRevoked(invitation)
    })

  it('and ends although the guest returned, with another participation', async () => {
    const invitation = await sent(world.people.guest)
    const { room_id, senders_id } = invitation
    await manager().revokeParticipant({ room_id, participant_id: senders_id })
    await world.invite(room_id, world.people.guest, 'full_access')
    await assertRevoked(invitation)
  })

  it('and is limited to the present level of a guest', async () => {
    const invitation = await sent(world.people.guest, 'view')
    const { room_id, senders_id } = invitation
    await manager().updateParticipant({ room_id, participant_id: senders_id, access_level: 'edit' })
    assert.equal((await accept(invitation)).participant?.access_level, 'view')
  })

  const membersLosses: [string, (sent: Sent & { membership_id: string }) => Promise<unknown>][] = [
    [
      'nothing after a member was removed from the Workspace',
      ({ membership_id }) => world.as(world.people.owner).removeMembership({ membership_id }),
    ],
    [
      'nothing after a member may no longer share Rooms',
      ({ membership_id }) =>
        world.as(world.people.owner).updateMembership({
          membership_id,
          expected_revision: 1,
          permissions: { 'rooms:share': false },
        }),
    ],
    [
      'nothing after a member was revoked from the Room',
      ({ room_id, senders_id }) => manager().revokeParticipant({ room_id, participant_id: senders_id }),
    ],
  ]
  for (const [title, lose] of membersLosses)
    it(title, async () => {
      const invitation = await sentByMember()
      await lose(invitation)
      await assertRevoked(invitation)
    })

  it('and stays with general access although the member is no longer a participant', async () => {
    const invitation = await sentByMember('view')
    const { room_id, senders_id } = invitation
    await manager().updateRoom({
      room_id,
      expected_revision: 1,
      general_access: 'workspace',
      general_access_level: 'edit',
    })
    await manager().revokeParticipant({ room_id, participant_id: senders_id })
    assert.equal((await accept(invitation)).participant?.status, 'active')
  })

  it('and ends when the key that sent it is revoked', async () => {
    const room_id = await world.room()
    const { member, owner } = world.people
    const { key_id, secret } = await world.service.apiKey(world.workspace_id, member, ['rooms:share'])
    const byKey = world.service.client({ api_key: secret, workspace_id: world.workspace_id })
    const [first, second] = [someAddress(), someAddress()]
    for (const email of [first, second])
      await byKey.inviteParticipant({ room_id, email, access_level: 'view' })
    const tokens = {
      first: await world.mailbox.token(first, 1),
      second: await world.mailbox.token(second, 1),
    }
    assert.equal((await accept({ email: first, token: tokens.first })).participant?.status, 'active')
    await world.as(owner).revokeApiKey({ key_id })
    await refused(accept({ email: second, token: tokens.second }), 'not_found')
  })

  it('and does not block an invitation by somebody else', async () => {
    const invitation = await sent(world.people.guest)
    const { room_id, email, senders_id } = invitation
    await manager().revokeParticipant({ room_id, participant_id: senders_id })
    const again = await world.mailed(room_id, email, 'view')
    assert.notEqual(again.participant_id, invitation.participant_id)
    await refused(accept(invitation), 'not_found')
    assert.equal((await accept(again)).participant?.access_level, 'view')
  })
})
