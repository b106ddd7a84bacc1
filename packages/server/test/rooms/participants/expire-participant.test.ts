import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { createSystemChange } from '../../../src/call/system-change.ts'
import { expireParticipant } from '../../../src/rooms/participants/expire-participant.ts'
import { whileChangeIsBlocked } from '../../harness/lock-waits.ts'
import { eventually } from '../../harness/eventually.ts'
import { refused } from '../../harness/refused.ts'
import { makeRoomWorld, someAddress, type RoomWorld } from '../room-fixture.ts'

describe('an end date in a Room', () => {
  let world: RoomWorld
  before(async () => void (world = await makeRoomWorld()))
  after(() => world.close())

  const us = () => world.as(world.people.member)
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
  const eventsOf = async (room_id: string) =>
    (await us().listEvents({ room_id, types: ['participant.*'] })).data
  const typesOf = async (room_id: string) => (await eventsOf(room_id)).map(event => event.type).toReversed()

  /** Runs the job that is due. */
  async function expire(room_id: string, participant_id: string, id = randomUUID()): Promise<void> {
    const change = createSystemChange(world.service.database.writers, () => new Date(), {
      send: () => Promise.resolve(),
    })
    await expireParticipant({ change })({ workspace_id: world.workspace_id, room_id, participant_id }, { id })
  }
  const setEnd = (participant_id: string, end: string) =>
    world.service.sql(`update room_participants set ${end} where id = $1`, [participant_id])

  it('ends access at its time, with an event', async () => {
    const room_id = await world.room()
    const email = someAddress()
    const expires_at = inSeconds(5)
    const { participant } = await us().inviteParticipant({ room_id, email, access_level: 'edit', expires_at })
    const zoe = world.holder(email)
    await zoe.client.acceptInvitation({ token: await world.mailbox.token(email, 1) })
    assert.deepEqual(await typesOf(room_id), ['participant.invited', 'participant.joined'])

    const [event] = await eventually(async () => {
      const events = await eventsOf(room_id)
      return events[0]?.type === 'participant.expired' && events
    })
    assert.ok(Date.parse(event?.occurred_at ?? '') >= Date.parse(expires_at))
    assert.deepEqual(
      [event?.actor, event?.subject, event?.about, event?.data, event?.mine],
      [
        { type: 'system', user_id: null, name: null, via: null },
        { type: 'participant', id: participant.participant_id, name: 'Zoe' },
        { user_id: zoe.user_id, email, name: 'Zoe' },
        { access_level: 'edit' },
        false,
      ],
    )
    const { participant: ended } = await us().getParticipant({
      room_id,
      participant_id: participant.participant_id,
    })
    assert.equal(ended.status, 'expired')
  })

  for (const [where, code] of [
    ['nowhere else', 'forbidden'],
    ['in another Room', 'not_found'],
  ] as const)
    it(`is over for a change that began before and has its turn after, by who is ${where}`, async () => {
      const { workspace_id } = world
      const room_id = await world.room()
      const guest = world.service.person('Gustav')
      await guest.client.createWorkspace({ name: 'His own' })
      const participant_id = await world.invite(room_id, guest, 'full_access')
      if (where === 'in another Room') await world.invite(await world.room(), guest, 'view')
      const idempotency_key = randomUUID()
      const change = () =>
        world.as(guest).updateRoom({ room_id, expected_revision: 1, title: 'Too late' }, { idempotency_key })
      const end = () => setEnd(participant_id, 'expires_at = clock_timestamp()')
      const claim = { workspace_id, principal: `user:${guest.user_id}`, idempotency_key }
      await refused(whileChangeIsBlocked(world.service, claim, change, end), code)
      assert.equal((await us().getRoom({ room_id })).room.revision, 1)
    })

  it('creates one event, also if the job runs again or the invitation was sent again', async () => {
    const { room_id, participant_id } = await world.mailed(await world.room())
    await us().resendInvitation({ room_id, participant_id })
    const due = await world.service.sql<{ in_days: number }>(
      `select round(extract(epoch from start_after - now()) / 86400)::int as in_days from svc_jobs.job
       where name = 'expire_participant' and data ->> 'participant_id' = $1`,
      [participant_id],
    )
    assert.deepEqual(due, [{ in_days: 14 }, { in_days: 14 }])
    await expire(room_id, participant_id)
    assert.ok(!(await typesOf(room_id)).includes('participant.expired'), 'it is not over')

    await setEnd(participant_id, 'invited_until = now()')
    const job = randomUUID()
    await Promise.allSettled(
      [job, job, randomUUID(), randomUUID()].map(id => expire(room_id, participant_id, id)),
    )
    await expire(room_id, participant_id, job)
    assert.equal((await typesOf(room_id)).filter(type => type === 'participant.expired').length, 1)
  })

  it('creates an event also if a new invitation has replaced the old one', async () => {
    const { room_id, participant_id, email } = await world.mailed(await world.room())
    await setEnd(participant_id, 'invited_until = now()')
    await us().inviteParticipant({ room_id, email, access_level: 'view' })
    await expire(room_id, participant_id)
    assert.deepEqual(await typesOf(room_id), [
      'participant.invited',
      'participant.invited',
      'participant.expired',
    ])
    const { participants } = await us().listParticipants({ room_id })
    assert.equal(participants.filter(one => one.email === email && one.status === 'pending').length, 1)
  })

  it('does not matter once access was revoked', async () => {
    const { room_id, participant_id } = await world.mailed(await world.room())
    await us().revokeParticipant({ room_id, participant_id })
    await setEnd(participant_id, 'invited_until = now()')
    await expire(room_id, participant_id)
    assert.deepEqual(await typesOf(room_id), ['participant.invited', 'participant.revoked'])
  })

  it('queues no job if there is none', async () => {
    const room_id = await world.room()
    const { participant_id, email, token } = await world.mailed(room_id)
    await world.holder(email).client.acceptInvitation({ token })
    const jobs = await world.service.sql(
      `select from svc_jobs.job where name = 'expire_participant' and data ->> 'participant_id' = $1`,
      [participant_id],
    )
    assert.equal(jobs.length, 1, 'that of the invitation alone')
  })
})
