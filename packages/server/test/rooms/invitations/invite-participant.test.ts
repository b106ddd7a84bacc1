import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import type { AccessLevel } from '@wbs/contract/scopes'
import { tokenIn } from '../../harness/invitations.ts'
import { eventually } from '../../harness/eventually.ts'
import { refused } from '../../harness/refused.ts'
import { makeRoomWorld, someAddress, type RoomWorld } from '../room-fixture.ts'

let world: RoomWorld
before(async () => void (world = await makeRoomWorld()))
after(() => world.close())
const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])
const messagesTo = (email: string) => world.mailbox.messages.filter(({ to }) => to === email)

describe('POST /v1/rooms/{room_id}/participants', () => {
  it('creates a pending invitation, valid for 14 days by the clock of the database', async () => {
    const room_id = await world.room()
    const { participant, action_receipt } = await client('member').inviteParticipant({
      room_id,
      email: ' Zoe+Deals@Example.com ',
      access_level: 'edit',
    })
    const { participant_id, created_at, updated_at, invited_until, ...rest } = participant
    assert.deepEqual(rest, {
      type: 'invitation',
      user_id: null,
      email: 'Zoe+Deals@Example.com',
      name: null,
      access_level: 'edit',
      status: 'pending',
      expires_at: null,
      can_download: true,
    })
    assert.match(participant_id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    assert.equal(created_at, updated_at)
    assert.ok(Math.abs(Date.parse(invited_until ?? '') - Date.now() - 14 * 86_400_000) < 600_000)
    assert.equal(action_receipt.action, 'invite_participant')
    assert.equal(action_receipt.operation, undefined)
    assert.deepEqual(action_receipt.resource, { type: 'participant', id: participant_id })
    assert.deepEqual(await world.eventsOf(room_id), ['room.created', 'participant.invited'])
    const [event] = (await client('member').listEvents({ room_id })).data
    assert.deepEqual(
      [event?.subject, event?.about, event?.data],
      [
        { type: 'participant', id: participant_id, name: null },
        { user_id: null, email: 'Zoe+Deals@Example.com', name: null },
        { access_level: 'edit' },
      ],
    )
  })

  it('stores the other settings, and does not create a revision of the Room', async () => {
    const room_id = await world.room()
    const expires_at = '2031-01-31T12:00:00.000Z'
    const { participant } = await client('member').inviteParticipant({
      room_id,
      email: someAddress(),
      access_level: 'view',
      can_download: false,
      expires_at,
    })
    assert.deepEqual([participant.can_download, participant.expires_at], [false, expires_at])
    assert.equal((await client('member').getRoom({ room_id })).room.revision, 1)
  })

  it('mails a link with the token of the invitation', async () => {
    const room_id = await world.room('Sale of Glacier')
    const email = someAddress()
    await client('member').inviteParticipant({
      room_id,
      email: email.toUpperCase(),
      access_level: 'full_access',
      message: 'The data room\nis ready.',
    })
    const [message] = await eventually(() => messagesTo(email).length > 0 && messagesTo(email))
    assert.ok(message)
    assert.match(message.subject, /Sale of Glacier/)
    assert.match(message.text, /member invites you to the Room “Sale of Glacier” .*, with full access/)
    assert.match(message.text, /member writes: “The data room is ready\.”/)
    assert.ok(message.text.includes(`${world.service.base_url}/invitations#token=svr_`))
    const { data } = await world.service.anonymous.inspectInvitation({ token: tokenIn(message.text) })
    assert.equal(data.access_level, 'full_access')
  })

  it('stores the token nowhere: not in a table, an answer, the log or the job', async () => {
    const room_id = await world.room()
    const email = someAddress()
    const options = { idempotency_key: randomUUID() }
    const invite = () => client('member').inviteParticipant({ room_id, email, access_level: 'view' }, options)
    const first = await invite()
    const token = await world.mailbox.token(email)
    const again = await invite()
    assert.equal(again.idempotent_replay, true)
    await world.holder(email).client.acceptInvitation({ token })
    const tables = await world.service.sql<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c
       where c.relnamespace in ('svc'::regnamespace, 'svc_jobs'::regnamespace) and c.relkind = 'r'`,
    )
    assert.ok(tables.some(({ name }) => name === 'svc_jobs.job_common'))
    const rows = await Promise.all(
      tables.map(({ name }) => world.service.sql(`select t::text from ${name} t`)),
    )
    const kept = JSON.stringify([rows, first, again, world.service.logged])
    assert.ok(kept.includes(email))
    for (const secret of [
      token,
      token.slice(4),
      Buffer.from(token).toString('hex'),
      Buffer.from(token).toString('base64'),
    ])
      assert.ok(!kept.includes(secret))
    const digest = createHash('sha256').update(token).digest('hex')
    assert.ok(!JSON.stringify([first, again, world.service.logged]).includes(digest))
    assert.ok(!world.service.logged.join().includes(email))
  })

  it('creates no membership of the Workspace', async () => {
    const room_id = await world.room()
    const count = async () =>
      (await world.service.sql('select from memberships where workspace_id = $1', [world.workspace_id]))
        .length
    const before = await count()
    const { email, token } = await world.mailed(room_id)
    const zoe = world.holder(email)
    await zoe.client.acceptInvitation({ token })
    assert.equal(await count(), before)
    await refused(world.as(zoe).listTeamMembers({}), 'forbidden')
    assert.deepEqual((await zoe.client.listWorkspaces()).data, [])
  })

  it('updates the invitation of an invited address: answers 200, with only the new link valid', async () => {
    const room_id = await world.room()
    const { participant_id, email, token: old } = await world.mailed(room_id)
    const { status, body } = await world.service.request(`/v1/rooms/${room_id}/participants`, {
      method: 'POST',
      token: world.people.member.token,
      headers: {
        'svc-workspace-id': world.workspace_id,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ email: email.toUpperCase(), access_level: 'edit', can_download: false }),
    })
    assert.equal(status, 200)
    const { participant } = body
    assert.deepEqual(
      [participant.participant_id, participant.access_level, participant.can_download, participant.status],
      [participant_id, 'edit', false, 'pending'],
    )
    const read = await client('member').getParticipant({ room_id, participant_id })
    assert.deepEqual(participant, read.participant)
    const token = await world.mailbox.token(email, 2)
    assert.notEqual(token, old)
    await refused(world.service.anonymous.inspectInvitation({ token: old }), 'not_found')
    assert.equal((await world.service.anonymous.inspectInvitation({ token })).data.access_level, 'edit')
  })

  it('creates one invitation for many concurrent requests with one address', async () => {
    const room_id = await world.room()
    const email = someAddress()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        client('member').inviteParticipant({ room_id, email, access_level: 'view' }),
      ),
    )
    assert.equal(new Set(answers.map(({ participant }) => participant.participant_id)).size, 1)
  })

  it('creates a new participant if the earlier invitation has ended', async () => {
    const room_id = await world.room()
    const email = someAddress()
    const invite = async () =>
      (await client('member').inviteParticipant({ room_id, email, access_level: 'view' })).participant
        .participant_id
    const first = await invite()
    await world.service.sql(
      `update room_participants set invited_until = now() - interval '1 s' where id = $1`,
      [first],
    )
    const second = await invite()
    assert.notEqual(second, first)
    await client('member').revokeParticipant({ room_id, participant_id: second })
    const third = await invite()
    assert.ok(![first, second].includes(third))
    const status = async (participant_id: string) =>
      (await client('member').getParticipant({ room_id, participant_id })).participant.status
    assert.deepEqual(await Promise.all([first, second, third].map(status)), ['expired', 'revoked', 'pending'])
  })

  it('refuses the address of an active participant, in any spelling, until their access ends', async () => {
    const room_id = await world.room()
    const mia = world.holder('mia@xn--hfen-loa.example', 'Mia')
    const { participant_id, token } = await world.mailed(room_id, mia.email)
    await mia.client.acceptInvitation({ token })
    const invite = (email: string) =>
      client('member').inviteParticipant({ room_id, email, access_level: 'view' })
    for (const email of ['Mia@häfen.example', 'mia@XN--HFEN-LOA.example', world.people.member.email])
      await refused(invite(email), 'already_exists')
    await world.service.sql(`update room_participants set expires_at = now() where id = $1`, [participant_id])
    const { participant } = await invite('mia@häfen.example')
    assert.notEqual(participant.participant_id, participant_id)
    const again = await mia.client.acceptInvitation({ token: await world.mailbox.token(mia.email, 2) })
    assert.equal(again.participant?.status, 'active')
    const before = await client('member').getParticipant({ room_id, participant_id })
    assert.equal(before.participant.status, 'expired')
  })

  it('requires edit access and at least the level that it gives', async () => {
    const room_id = await world.room()
    const invite = (name: keyof RoomWorld['people'], access_level: AccessLevel, email = someAddress()) =>
      client(name).inviteParticipant({ room_id, email, access_level })
    await refused(invite('owner', 'view'), 'not_found')
    await refused(
      world
        .as(world.service.person('Otto'))
        .inviteParticipant({ room_id, email: someAddress(), access_level: 'view' }),
      'forbidden',
    )
    await world.invite(room_id, world.people.owner, 'view')
    await world.invite(room_id, world.people.guest, 'edit')
    await refused(invite('owner', 'view'), 'forbidden')
    await refused(invite('guest', 'full_access'), 'forbidden')
    await invite('guest', 'edit')
    const email = someAddress()
    await invite('member', 'full_access', email)
    await refused(invite('guest', 'view', email), 'forbidden')
  })

  it('requires rooms:share, which a viewer with edit access lacks', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.viewer, 'edit')
    const call = client('viewer').inviteParticipant({ room_id, email: someAddress(), access_level: 'view' })
    assert.equal((await refused(call, 'forbidden')).required_permission, 'rooms:share')
  })

  it('requires full access of a guest if guests do not see each other', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'edit')
    await world.invite(room_id, world.people.rival, 'view')
    await client('member').updateRoom({ room_id, expected_revision: 1, participant_visibility: 'managers' })
    for (const email of [world.people.rival.email, someAddress()])
      await refused(client('guest').inviteParticipant({ room_id, email, access_level: 'view' }), 'forbidden')
  })

  it('refuses an archived Room and its sub-rooms', async () => {
    const room_id = await world.room()
    const { room: sub } = await client('member').createRoom({ title: 'Bids', parent_room_id: room_id })
    await client('member').archiveRoom({ room_id, expected_revision: 1 })
    for (const id of [room_id, sub.room_id])
      await refused(
        client('member').inviteParticipant({ room_id: id, email: someAddress(), access_level: 'view' }),
        'state_conflict',
      )
  })

  it('refuses the 501st participant, also of fifty at once; ended ones do not count', async () => {
    const room_id = await world.room()
    // The member is the first participant; one invitation has expired.
    await world.service.sql(
      `insert into room_participants (workspace_id, room_id, id, email, email_key, access_level, status, token_digest, token_number,
         invited_by, invited_until, created_at, updated_at)
       select $1, $2, gen_random_uuid(), n || '@x.example', n || '@x.example', 'view', 'pending', sha256(($2::text || n)::bytea), 1, $3,
         now() + (case when n = 1 then -1 else 1 end) * interval '1 day', now(), now() from generate_series(1, 498) n`,
      [world.workspace_id, room_id, world.people.member.user_id],
    )
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () =>
        client('member').inviteParticipant({ room_id, email: someAddress(), access_level: 'view' }),
      ),
    )
    assert.equal(outcomes.filter(one => one.status === 'fulfilled').length, 2)
    for (const one of outcomes)
      if (one.status === 'rejected') await refused(Promise.reject(one.reason), 'limit_reached')
    await client('member').inviteParticipant({ room_id, email: '7@x.example', access_level: 'edit' })
    await refused(
      client('member').inviteParticipant({ room_id, email: '1@x.example', access_level: 'view' }),
      'limit_reached',
    )
  })

  it('creates one invitation and one mail for sixteen requests with one key', async () => {
    const room_id = await world.room()
    const email = someAddress()
    const options = { idempotency_key: randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 16 }, () =>
        client('member').inviteParticipant({ room_id, email, access_level: 'view' }, options),
      ),
    )
    assert.equal(answers.filter(answer => !answer.idempotent_replay).length, 1)
    assert.equal(new Set(answers.map(one => one.action_receipt.receipt_id)).size, 1)
    await refused(
      client('member').inviteParticipant({ room_id, email, access_level: 'edit' }, options),
      'idempotency_key_reused',
    )
    // A later mail shows that no further mail of the first one will come.
    await world.mailbox.token(email)
    await world.mailed(room_id)
    assert.equal(messagesTo(email).length, 1)
  })

  it('does not replay to a caller who has lost the Room', async () => {
    const room_id = await world.room()
    const participant_id = await world.invite(room_id, world.people.owner, 'edit')
    const options = { idempotency_key: randomUUID() }
    const input = { room_id, email: someAddress(), access_level: 'view' } as const
    await client('owner').inviteParticipant(input, options)
    await client('member').revokeParticipant({ room_id, participant_id })
    await refused(client('owner').inviteParticipant(input, options), 'not_found')
  })

  describe('refuses as a body', () => {
    const email = 'zoe@example.com'
    const wrong: [title: string, body: object, pointer: string, code: string][] = [
      ['no address', { access_level: 'view' }, '/email', 'required'],
      ['no level', { email }, '/access_level', 'required'],
      ['a level that there is not', { email, access_level: 'owner' }, '/access_level', 'unknown'],
      ['a name for an address', { email: 'zoe', access_level: 'view' }, '/email', 'format'],
      ['a header', { email: 'a@b.example\r\nBcc: c@d.example', access_level: 'view' }, '/email', 'format'],
      ['a domain of digits', { email: 'a@127.0.0.1', access_level: 'view' }, '/email', 'format'],
      [
        'an end that is past',
        { email, access_level: 'view', expires_at: '2020-01-31T00:00:00Z' },
        '/expires_at',
        'out_of_range',
      ],
      [
        'an end that is no time',
        { email, access_level: 'view', expires_at: 'soon' },
        '/expires_at',
        'format',
      ],
      ['no end', { email, access_level: 'view', expires_at: null }, '/expires_at', 'type'],
      ['a message of blanks', { email, access_level: 'view', message: ' \n ' }, '/message', 'too_short'],
      [
        'a message that is too long',
        { email, access_level: 'view', message: '𠮷'.repeat(2001) },
        '/message',
        'too_long',
      ],
      ['a text for a yes', { email, access_level: 'view', can_download: 'no' }, '/can_download', 'type'],
    ]
    for (const [title, body, pointer, code] of wrong)
      it(title, async () => {
        const room_id = await world.room()
        const call = client('member').inviteParticipant({ room_id, ...body } as never)
        const { errors } = await refused(call, 'validation_error')
        assert.deepEqual(
          errors.map(error => [error.pointer, error.code]),
          [[pointer, code]],
        )
        assert.deepEqual(await world.eventsOf(room_id), ['room.created'])
      })
  })

  it('answers 404 for an unknown Room', async () => {
    const input = { room_id: newId('rom'), email: someAddress(), access_level: 'view' } as const
    await refused(client('member').inviteParticipant(input), 'not_found')
  })
})
