import assert from 'node:assert/strict'
import { randomUUIDv7 } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { refused } from '../../harness/refused.ts'
import { makeRoomWorld, someAddress, type RoomWorld } from '../room-fixture.ts'

let world: RoomWorld
before(async () => void (world = await makeRoomWorld()))
after(() => world.close())
const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])

/** The addresses of the participants whom a person can see in a Room. */
const seenBy = async (name: keyof RoomWorld['people'], room_id: string) =>
  (await client(name).listParticipants({ room_id })).participants.map(one => one.email)

describe('GET /v1/rooms/{room_id}/participants', () => {
  it('lists active participants and pending invitations, by id', async () => {
    const room_id = await world.room()
    const { participant: invited } = await client('member').inviteParticipant({
      room_id,
      email: someAddress(),
      access_level: 'edit',
    })
    const guest_id = await world.invite(room_id, world.people.guest, 'view')
    const { request_id, ...answer } = await client('guest').listParticipants({ room_id })
    assert.ok(request_id)
    assert.deepEqual(Object.keys(answer).sort(), ['has_more', 'next_cursor', 'participants'])
    assert.deepEqual([answer.has_more, answer.next_cursor], [false, null])
    assert.deepEqual(
      answer.participants.map(one => [one.type, one.status, one.user_id, one.name, one.access_level]),
      [
        ['user', 'active', world.people.member.user_id, 'member', 'full_access'],
        ['invitation', 'pending', null, null, 'edit'],
        ['user', 'active', world.people.guest.user_id, 'guest', 'view'],
      ],
    )
    assert.deepEqual(answer.participants[1], invited)
    assert.equal(answer.participants[2]?.participant_id, guest_id)
    assert.equal(answer.participants[0]?.email, world.people.member.email)
  })

  it('leaves out those that have ended, also before a job has recorded it', async () => {
    const room_id = await world.room()
    const add = () =>
      client('member').inviteParticipant({ room_id, email: someAddress(), access_level: 'view' })
    for (const change of [
      `status = 'revoked'`,
      `status = 'declined'`,
      `status = 'expired'`,
      `invited_until = now()`,
      `expires_at = now()`,
    ]) {
      const { participant } = await add()
      await world.service.sql(`update room_participants set ${change} where id = $1`, [
        participant.participant_id,
      ])
    }
    const rival_id = await world.invite(room_id, world.people.rival, 'view')
    await world.service.sql('update room_participants set expires_at = now() where id = $1', [rival_id])
    assert.deepEqual(await seenBy('member', room_id), [world.people.member.email])
  })

  it('returns 20 by default, each exactly once over all pages', async () => {
    const room_id = await world.room()
    for (let n = 0; n < 24; n++)
      await client('member').inviteParticipant({ room_id, email: someAddress(), access_level: 'view' })
    const first = await client('member').listParticipants({ room_id })
    assert.deepEqual([first.participants.length, first.has_more], [20, true])
    assert.equal(first.next_cursor, first.participants.at(-1)?.participant_id)
    const rest = await client('member').listParticipants({ room_id, after: first.next_cursor ?? '' })
    assert.deepEqual([rest.participants.length, rest.has_more, rest.next_cursor], [5, false, null])
    const ids = [...first.participants, ...rest.participants].map(one => one.participant_id)
    assert.equal(new Set(ids).size, 25)
    assert.ok(ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? '')))
  })

  it('continues from a cursor whose participant has ended or never existed', async () => {
    const room_id = await world.room()
    for (let n = 0; n < 3; n++)
      await client('member').inviteParticipant({ room_id, email: someAddress(), access_level: 'view' })
    const { next_cursor } = await client('member').listParticipants({ room_id, limit: 2 })
    const before = await client('member').listParticipants({ room_id, after: next_cursor ?? '' })
    await client('member').revokeParticipant({ room_id, participant_id: next_cursor ?? '' })
    const after = await client('member').listParticipants({ room_id, after: next_cursor ?? '' })
    assert.deepEqual(after.participants, before.participants)
    assert.equal(after.participants.length, 2)
    const none = await client('member').listParticipants({ room_id, after: randomUUIDv7() })
    assert.deepEqual(none.participants, [])
    const all = await client('member').listParticipants({
      room_id,
      after: '00000000-0000-0000-0000-000000000000',
    })
    assert.equal(all.participants.length, 3)
  })

  it('refuses invalid page parameters', async () => {
    const room_id = await world.room()
    for (const wrong of [{ limit: 0 }, { limit: 101 }, { after: 'x' }, { cursor: randomUUIDv7() }])
      await refused(client('member').listParticipants({ room_id, ...wrong }), 'validation_error')
  })

  it('requires a visible Room', async () => {
    const room_id = await world.room()
    await refused(client('owner').listParticipants({ room_id }), 'not_found')
    await refused(client('owner').listParticipants({ room_id: newId('rom') }), 'not_found')
    await refused(world.as(world.service.person('Otto')).listParticipants({ room_id }), 'forbidden')
    await world.invite(await world.room(), world.people.guest, 'full_access')
    await refused(client('guest').listParticipants({ room_id }), 'not_found')
  })

  it('hides rival bidders and invitations from each other if only managers see all', async () => {
    const { member, owner, guest, rival } = world.people
    const room_id = await world.room()
    await world.invite(room_id, owner, 'view')
    await world.invite(room_id, guest, 'edit')
    await world.invite(room_id, rival, 'view')
    const { participant } = await client('member').inviteParticipant({
      room_id,
      email: 'third@bidders.example',
      access_level: 'view',
    })
    const { participant: mine } = await client('guest').inviteParticipant({
      room_id,
      email: 'partner@guest.example',
      access_level: 'view',
    })
    const everybody = [
      member.email,
      owner.email,
      guest.email,
      rival.email,
      'third@bidders.example',
      'partner@guest.example',
    ]
    for (const name of ['member', 'owner', 'guest', 'rival'] as const)
      assert.deepEqual(new Set(await seenBy(name, room_id)), new Set(everybody))
    await client('member').updateRoom({ room_id, expected_revision: 1, participant_visibility: 'managers' })
    // One of the bidders could not send an invitation now, so the one that they sent is void.
    const left = everybody.filter(email => email !== 'partner@guest.example')
    for (const name of ['member', 'owner'] as const)
      assert.deepEqual(new Set(await seenBy(name, room_id)), new Set(left))
    assert.deepEqual(
      new Set(await seenBy('guest', room_id)),
      new Set([member.email, owner.email, guest.email]),
    )
    assert.deepEqual(
      new Set(await seenBy('rival', room_id)),
      new Set([member.email, owner.email, rival.email]),
    )
    const { participants } = await client('member').listParticipants({ room_id })
    const guests = participants.find(one => one.user_id === guest.user_id)
    for (const one of [participant, mine, guests])
      await refused(
        client('rival').getParticipant({ room_id, participant_id: one?.participant_id ?? '' }),
        'not_found',
      )
    const { has_more } = await client('rival').listParticipants({ room_id, limit: 3 })
    assert.equal(has_more, false, 'nor that there are more')
    await world.service.sql(
      `update room_participants set access_level = 'full_access' where room_id = $1 and user_id = $2`,
      [room_id, rival.user_id],
    )
    assert.equal((await seenBy('rival', room_id)).length, 5)
  })
})

describe('GET /v1/rooms/{room_id}/participants/{participant_id}', () => {
  it('returns a participant, also one that has ended', async () => {
    const room_id = await world.room()
    const { participant } = await client('member').inviteParticipant({
      room_id,
      email: someAddress(),
      access_level: 'view',
    })
    const { participant_id } = participant
    const read = async () => (await client('member').getParticipant({ room_id, participant_id })).participant
    assert.deepEqual(await read(), participant)
    await world.service.sql('update room_participants set invited_until = now() where id = $1', [
      participant_id,
    ])
    assert.deepEqual(await read(), { ...participant, status: 'expired', invited_until: null })
    await world.service.sql(`update room_participants set status = 'left' where id = $1`, [participant_id])
    assert.equal((await read()).status, 'revoked')
  })

  it('answers 404 for a participant of another, unknown or hidden Room', async () => {
    const [room_id, other] = [await world.room(), await world.room()]
    const { participants } = await client('member').listParticipants({ room_id: other })
    const participant_id = participants[0]?.participant_id ?? ''
    for (const named of [
      { room_id, participant_id },
      { room_id, participant_id: randomUUIDv7() },
      { room_id: newId('rom'), participant_id },
    ])
      await refused(client('member').getParticipant(named), 'not_found')
    await refused(client('owner').getParticipant({ room_id: other, participant_id }), 'not_found')
  })
})
