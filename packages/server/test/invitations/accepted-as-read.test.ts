import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addBusiness } from '../harness/businesses.ts'
import type { Person } from '../harness/service.ts'
import { makeRoomWorld, someAddress, type MailedInvitation, type RoomWorld } from '../rooms/room-fixture.ts'

describe('the answer to accepting an invitation equals what is read afterwards', () => {
  let world: RoomWorld
  before(async () => void (world = await makeRoomWorld()))
  after(() => world.close())
  const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])

  /** Accepts an invitation, and checks that the answer equals what is read afterwards. */
  async function acceptedAsRead(person: Person, { token, participant_id, room_id }: MailedInvitation) {
    const { participant, room } = await person.client.acceptInvitation({ token })
    assert.deepEqual(room, (await world.as(person).getRoom({ room_id })).room)
    const read = await client('member').getParticipant({ room_id, participant_id })
    assert.deepEqual(participant, read.participant)
    return room
  }

  it('for a guest, of a sub-room', async () => {
    const parent_room_id = await world.room('Not theirs')
    const { room: sub } = await client('member').createRoom({ title: 'Bids', parent_room_id })
    const draft = await addBusiness(world.service, { name: 'Secret', publication_status: 'draft' })
    const open = await addBusiness(world.service, { name: 'Open' })
    await world.service.link(world.workspace_id, draft, world.people.owner, 'full_access')
    for (const resource_id of [draft, open])
      await client('member').attachRoomResource({
        room_id: sub.room_id,
        resource_type: 'business',
        resource_id,
      })
    const invited = await world.mailed(sub.room_id, someAddress(), 'edit')
    const room = await acceptedAsRead(world.holder(invited.email), invited)
    assert.deepEqual([room?.access_level, room?.parent], ['edit', { room_id: parent_room_id, title: null }])
    assert.deepEqual(
      room?.attachments.map(({ label }) => label),
      [null, 'Open'],
    )
  })

  it('for a member, of a Room whose general access gives a higher level', async () => {
    const draft = await addBusiness(world.service, { name: 'Secret', publication_status: 'draft' })
    await world.service.link(world.workspace_id, draft, world.people.owner, 'full_access')
    const { room: made } = await client('member').createRoom({ title: 'Sale', business_id: draft })
    const { room_id } = made
    await client('member').attachRoomResource({ room_id, resource_type: 'business', resource_id: draft })
    const seen = await client('member').createRoom({ title: 'Bids', parent_room_id: room_id })
    await client('member').createRoom({ title: 'Not theirs', parent_room_id: room_id })
    await world.invite(seen.room.room_id, world.people.viewer, 'view')
    await client('member').updateRoom({ room_id, expected_revision: 2, general_access_level: 'edit' })
    const { viewer } = world.people
    const room = await acceptedAsRead(viewer, await world.mailed(room_id, viewer.email))
    assert.deepEqual([room?.access_level, room?.sub_room_count], ['edit', 1])
    assert.deepEqual(
      room?.attachments.map(({ label }) => label),
      ['Secret'],
    )
  })

  it('for a member without businesses:read, of a Room with a Business', async () => {
    const draft = await addBusiness(world.service, { name: 'Secret', publication_status: 'draft' })
    await world.service.link(world.workspace_id, draft, world.people.owner, 'full_access')
    const { room: made } = await client('member').createRoom({ title: 'Sale', business_id: draft })
    const { room_id } = made
    await client('member').attachRoomResource({ room_id, resource_type: 'business', resource_id: draft })
    await client('member').updateRoom({ room_id, expected_revision: 2, general_access_level: 'edit' })
    const max = world.service.person('Max')
    const membership_id = await world.service.join(world.workspace_id, max, 'member')
    await world.service.sql(
      `update memberships set permissions = '{"businesses:read": false}' where id = $1`,
      [membership_id],
    )
    const room = await acceptedAsRead(max, await world.mailed(room_id, max.email))
    assert.equal(room?.access_level, 'view')
    assert.deepEqual(
      room?.attachments.map(({ label }) => label),
      [null],
    )
  })
})
