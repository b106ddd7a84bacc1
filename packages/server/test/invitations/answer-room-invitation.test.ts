import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { refused } from '../harness/refused.ts'
import { rowChanges } from '../harness/transactions/row-changes.ts'
import { makeRoomWorld, someAddress, type RoomWorld } from '../rooms/room-fixture.ts'

let world: RoomWorld
before(async () => void (world = await makeRoomWorld()))
after(() => world.close())
const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])

const unknown = `svr_${'A'.repeat(43)}`
const codeOf = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === 'fulfilled' ? 'done' : (outcome.reason as { problem: { code: string } }).problem.code

describe('POST /v1/invitations/inspect, of an invitation to a Room', () => {
  it('describes the invitation with a masked address, and changes nothing', async () => {
    const room_id = await world.room('Sale <of> Glacier')
    const { email, token } = await world.mailed(
      room_id,
      `olive.${randomUUID().slice(0, 8)}@mail.example.com`,
      'edit',
    )
    await rowChanges(world.service)
    const { data } = await world.service.anonymous.inspectInvitation({ token })
    const { expires_at, ...rest } = data
    assert.deepEqual(rest, {
      kind: 'room',
      workspace_name: 'Harbor Street Partners',
      room_title: 'Sale <of> Glacier',
      inviter_name: 'member',
      masked_email: 'o…@m….com',
      access_level: 'edit',
      status: 'pending',
    })
    assert.ok(Date.parse(expires_at) > Date.now())
    assert.ok(!JSON.stringify(data).includes(email))
    assert.deepEqual(await rowChanges(world.service), [])
  })

  it('returns its status', async () => {
    const room_id = await world.room()
    const status = async (token: string) =>
      (await world.service.anonymous.inspectInvitation({ token })).data.status
    const revoked = await world.mailed(room_id)
    const accepted = await world.mailed(room_id)
    const left = await world.mailed(room_id)
    const declined = await world.mailed(room_id)
    const expired = await world.mailed(room_id)
    const useless = await world.mailed(room_id)
    await client('member').revokeParticipant({ room_id, participant_id: revoked.participant_id })
    await world.holder(accepted.email).client.acceptInvitation({ token: accepted.token })
    const leaving = world.holder(left.email)
    await leaving.client.acceptInvitation({ token: left.token })
    await world.as(leaving).leaveRoom({ room_id })
    await world.holder(declined.email).client.declineInvitation({ token: declined.token })
    await world.service.sql('update room_participants set invited_until = now() where id = $1', [
      expired.participant_id,
    ])
    await world.service.sql('update room_participants set expires_at = now() where id = $1', [
      useless.participant_id,
    ])
    const all = [revoked, accepted, left, declined, expired, useless]
    assert.deepEqual(await Promise.all(all.map(one => status(one.token))), [
      'revoked',
      'accepted',
      'accepted',
      'declined',
      'expired',
      'expired',
    ])
  })

  it('answers in the same way for unknown tokens of both kinds, and for malformed ones', async () => {
    const { token } = await world.mailed(await world.room())
    const texts = [
      unknown,
      '',
      `${token}x`,
      token.slice(0, -1),
      token.toUpperCase(),
      token.replace('svr_', 'svi_'),
    ]
    const told = await Promise.all(
      texts.map(async text => {
        const { request_id: _, ...rest } = await refused(
          world.service.anonymous.inspectInvitation({ token: text }),
          'not_found',
        )
        return rest
      }),
    )
    for (const one of told) assert.deepEqual(one, told[0])
  })
})

describe('POST /v1/invitations/accept, of an invitation to a Room', () => {
  it('is replayed, with its receipt, to a guest for as long as they are one', async () => {
    const { room_id, participant_id, email, token } = await world.mailed(await world.room())
    const zoe = world.holder(email)
    const idempotency_key = randomUUID()
    const { action_receipt } = await zoe.client.acceptInvitation({ token }, { idempotency_key })
    const told = await zoe.client.getCommand({ idempotency_key })
    assert.deepEqual([told.status, told.receipt], ['committed', action_receipt])
    assert.deepEqual(told.resource, { type: 'participant', id: participant_id })
    await client('member').revokeParticipant({ room_id, participant_id })
    const later = await zoe.client.getCommand({ idempotency_key })
    assert.deepEqual([later.status, later.receipt, later.resource], ['committed', null, null])
  })

  it('makes the invitee a participant, who sees that Room and nothing else of the Workspace', async () => {
    const [room_id, other] = [await world.room(), await world.room()]
    const { participant_id, email, token } = await world.mailed(room_id, someAddress(), 'edit')
    const zoe = world.holder(email)
    await refused(world.as(zoe).getRoom({ room_id }), 'forbidden')
    const answer = await zoe.client.acceptInvitation({ token })
    const { participant, room, action_receipt } = answer
    assert.deepEqual(
      [participant?.participant_id, participant?.type, participant?.status, participant?.user_id],
      [participant_id, 'user', 'active', zoe.user_id],
    )
    assert.deepEqual(
      [participant?.email, participant?.name, participant?.invited_until],
      [email, 'Zoe', null],
    )
    assert.deepEqual([room?.room_id, room?.access_level], [room_id, 'edit'])
    assert.deepEqual(
      ['data', 'membership', 'workspace', 'access'].filter(key => key in answer),
      [],
    )
    assert.deepEqual(
      [action_receipt.operation, action_receipt.workspace_id, action_receipt.resource.id],
      ['accept_invitation', world.workspace_id, participant_id],
    )
    const { data } = await world.as(zoe).listRooms({})
    assert.deepEqual(
      data.map(one => one.room_id),
      [room_id],
    )
    await refused(world.as(zoe).getRoom({ room_id: other }), 'not_found')
    const [event] = await world.service.sql(
      `select subject, about, data, room_id from events where room_id = $1 and type = 'participant.joined'`,
      [room_id],
    )
    assert.deepEqual(event, {
      subject: { type: 'participant', id: participant_id, name: 'Zoe' },
      about: { user_id: zoe.user_id, email, name: 'Zoe' },
      data: { access_level: 'edit' },
      room_id,
    })
  })

  it('gives a member the level in the Room, and does not change their membership', async () => {
    const room_id = await world.room()
    const { token } = await world.mailed(room_id, world.people.viewer.email)
    const { room } = await world.people.viewer.client.acceptInvitation({ token })
    assert.equal(room?.access_level, 'view')
    assert.equal((await client('viewer').listTeamMembers({})).data.length, 4)
  })

  it('is replayed as long as the caller can see the Room', async () => {
    const room_id = await world.room()
    const { participant_id, email, token } = await world.mailed(room_id)
    const zoe = world.holder(email)
    const options = { idempotency_key: randomUUID() }
    const accept = () => zoe.client.acceptInvitation({ token }, options)
    const first = await accept()
    const again = await accept()
    assert.equal(again.idempotent_replay, true)
    assert.deepEqual([again.participant, again.room], [first.participant, first.room])
    const second = await world.mailed(await world.room(), email)
    await refused(zoe.client.acceptInvitation({ token: second.token }, options), 'not_found')
    await zoe.client.acceptInvitation({ token: second.token })
    await refused(zoe.client.acceptInvitation({ token: second.token }, options), 'idempotency_key_reused')
    await client('member').revokeParticipant({ room_id, participant_id })
    await refused(accept(), 'not_found')
    await world.as(zoe).leaveRoom({ room_id: second.room_id })
    await refused(accept(), 'forbidden')
  })

  it('is not replayed for a team to somebody who has left it and is now a guest', async () => {
    const { owner } = world.people
    const zoe = world.holder(someAddress())
    await world.as(owner).createTeamInvitation({ email: zoe.email, role: 'viewer' })
    const token = await world.mailbox.token(zoe.email)
    const options = { idempotency_key: randomUUID() }
    await zoe.client.acceptInvitation({ token }, options)
    const invited = await world.mailed(await world.room(), zoe.email)
    await zoe.client.acceptInvitation({ token: invited.token })
    await world.as(zoe).leaveTeam({})
    await refused(zoe.client.acceptInvitation({ token }, options), 'forbidden')
  })

  it('refuses another address, an unverified one, and none', async () => {
    const room_id = await world.room()
    const { email, token } = await world.mailed(room_id)
    for (const other of [
      world.holder(`x${email}`),
      world.holder(email.replace('@', '+a@')),
      world.service.person('Zoe', { email, email_verified: false }),
      world.service.person('Zoe', { email: undefined }),
    ]) {
      await refused(other.client.acceptInvitation({ token }), 'forbidden')
      await refused(other.client.declineInvitation({ token }), 'forbidden')
    }
    await world.holder(email.toUpperCase()).client.acceptInvitation({ token })
  })

  it('is refused after it was accepted, revoked or declined, or has expired', async () => {
    const room_id = await world.room()
    const { participant_id, email, token } = await world.mailed(room_id)
    const zoe = world.holder(email)
    const answers = [
      () => zoe.client.acceptInvitation({ token }),
      () => zoe.client.declineInvitation({ token }),
    ]
    const set = (change: string) =>
      world.service.sql(`update room_participants set ${change} where id = $1`, [participant_id])
    for (const [change, code] of [
      ['invited_until = now()', 'gone'],
      [`invited_until = now() + interval '1 day', expires_at = now()`, 'gone'],
      [`expires_at = null, status = 'expired'`, 'gone'],
      [`status = 'revoked'`, 'not_found'],
      [`status = 'declined'`, 'not_found'],
    ] as const) {
      await set(change)
      for (const answer of answers) await refused(answer(), code)
    }
    await set(`status = 'pending'`)
    await zoe.client.acceptInvitation({ token })
    for (const answer of answers)
      assert.equal((await refused(answer(), 'state_conflict')).current_status, 'accepted')
    for (const answer of [zoe.client.acceptInvitation, zoe.client.declineInvitation])
      await refused(answer({ token: unknown }), 'not_found')
  })

  it('requires an active Room and Workspace, as does declining', async () => {
    const room_id = await world.room()
    const { room: sub } = await client('member').createRoom({ title: 'Bids', parent_room_id: room_id })
    const invited = [await world.mailed(room_id), await world.mailed(sub.room_id)]
    const conflicts = async (status: string) => {
      for (const { email, token } of invited)
        for (const answer of [
          world.holder(email).client.acceptInvitation,
          world.holder(email).client.declineInvitation,
        ])
          assert.equal((await refused(answer({ token }), 'state_conflict')).current_status, status)
    }
    await client('member').archiveRoom({ room_id, expected_revision: 1 })
    await conflicts('archived')
    await client('member').restoreRoom({ room_id, expected_revision: 2 })
    for (const status of ['suspended', 'closed']) {
      await world.service.sql('update workspaces set status = $2 where id = $1', [world.workspace_id, status])
      await conflicts(status)
    }
    await world.service.sql(`update workspaces set status = 'active' where id = $1`, [world.workspace_id])
    for (const { email, token } of invited) await world.holder(email).client.acceptInvitation({ token })
  })

  it('refuses a participant with another address, and stays pending', async () => {
    const room_id = await world.room()
    const first = await world.mailed(room_id)
    const zoe = world.holder(first.email)
    await zoe.client.acceptInvitation({ token: first.token })
    const second = await world.mailed(room_id)
    const moved = world.service.person('Zoe', { sub: zoe.subject, email: second.email, email_verified: true })
    await refused(moved.client.acceptInvitation({ token: second.token }), 'already_exists')
    const { participant } = await client('member').getParticipant({
      room_id,
      participant_id: second.participant_id,
    })
    assert.equal(participant.status, 'pending')
  })

  it('gives access until its end date', async () => {
    const room_id = await world.room()
    const email = someAddress()
    const { participant } = await client('member').inviteParticipant({
      room_id,
      email,
      access_level: 'edit',
      expires_at: '2031-01-31T12:00:00.000Z',
    })
    const zoe = world.holder(email)
    await zoe.client.acceptInvitation({ token: await world.mailbox.token(email) })
    const levelOf = async () => await client('member').getRoomAccess({ room_id, user_id: zoe.user_id })
    assert.deepEqual((await levelOf()).reasons, [{ source: 'participant', level: 'edit' }])
    const before = await world.service.sql('select count(*)::int as n from events')
    await world.service.sql('update room_participants set expires_at = now() where id = $1', [
      participant.participant_id,
    ])
    await refused(world.as(zoe).getRoom({ room_id }), 'forbidden')
    const { effective_level, reasons } = await levelOf()
    assert.deepEqual([effective_level, reasons], [null, []])
    assert.deepEqual(await world.service.sql('select count(*)::int as n from events'), before)
  })

  it('creates one participant for sixteen concurrent requests of one person', async () => {
    const room_id = await world.room()
    const { email, token } = await world.mailed(room_id)
    const zoe = world.holder(email)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 16 }, () => zoe.client.acceptInvitation({ token })),
    )
    assert.deepEqual(
      outcomes.map(codeOf).sort(),
      ['done', ...Array<string>(15).fill('state_conflict')].sort(),
    )
    assert.equal((await world.eventsOf(room_id)).filter(type => type === 'participant.joined').length, 1)
  })

  it('by sixteen people with one mailbox at once lets one of them in', async () => {
    const room_id = await world.room()
    const { email, token } = await world.mailed(room_id)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 16 }, () => world.holder(email).client.acceptInvitation({ token })),
    )
    assert.equal(outcomes.map(codeOf).filter(code => code === 'done').length, 1)
    const active = await world.service.sql(
      `select from room_participants where room_id = $1 and status = 'active'`,
      [room_id],
    )
    assert.equal(active.length, 2)
  })

  it('and being revoked, or the Room archived, at once: what is told is what happened', async () => {
    for (let round = 0; round < 6; round++) {
      const room_id = await world.room()
      const { participant_id, email, token } = await world.mailed(room_id)
      const zoe = world.holder(email)
      const [accepted, revoked, archived] = await Promise.allSettled([
        zoe.client.acceptInvitation({ token }),
        client('member').revokeParticipant({ room_id, participant_id }),
        client('member').archiveRoom({ room_id, expected_revision: 1 }),
      ])
      assert.deepEqual([codeOf(revoked), codeOf(archived)], ['done', 'done'])
      assert.ok(['done', 'not_found', 'state_conflict'].includes(codeOf(accepted)))
      const types = await world.eventsOf(room_id)
      assert.equal(types.includes('participant.joined'), codeOf(accepted) === 'done')
      if (codeOf(accepted) === 'done')
        assert.ok(types.indexOf('participant.joined') < types.indexOf('participant.revoked'))
      await refused(world.as(zoe).getRoom({ room_id }), 'forbidden')
    }
  })
})

describe('POST /v1/invitations/decline, of an invitation to a Room', () => {
  it('ends the invitation', async () => {
    const room_id = await world.room()
    const { participant_id, email, token } = await world.mailed(room_id)
    const zoe = world.holder(email)
    const options = { idempotency_key: randomUUID() }
    const answer = await zoe.client.declineInvitation({ token }, options)
    assert.deepEqual(
      [answer.participant?.participant_id, answer.participant?.status, answer.participant?.user_id],
      [participant_id, 'declined', null],
    )
    assert.equal('data' in answer, false)
    const read = await client('member').getParticipant({ room_id, participant_id })
    assert.deepEqual(answer.participant, read.participant)
    assert.equal((await zoe.client.declineInvitation({ token }, options)).idempotent_replay, true)
    await refused(zoe.client.acceptInvitation({ token }), 'not_found')
    await refused(world.as(zoe).getRoom({ room_id }), 'forbidden')
    assert.equal((await world.eventsOf(room_id)).at(-1), 'participant.declined')
  })
})
