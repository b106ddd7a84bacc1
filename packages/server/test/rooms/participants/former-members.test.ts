import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { createSystemChangeOfRooms } from '../../../src/call/system-change.ts'
import { endParticipation } from '../../../src/rooms/participants/end-participation.ts'
import type { Person } from '../../harness/service.ts'
import { eventually } from '../../harness/eventually.ts'
import { refused } from '../../harness/refused.ts'
import { makeRoomWorld, type RoomWorld } from '../room-fixture.ts'

describe('the participations of a member', () => {
  let world: RoomWorld
  before(async () => void (world = await makeRoomWorld()))
  after(() => world.close())

  const owner = () => world.as(world.people.owner)
  const manager = () => world.as(world.people.member)

  async function newMember(name = 'Max'): Promise<{ person: Person; membership_id: string }> {
    const person = world.service.person(name)
    return { person, membership_id: await world.service.join(world.workspace_id, person, 'member') }
  }

  /** Makes a former member a member again by an invitation. */
  async function comeBack({ email, client }: Person, role: 'viewer' | 'admin' = 'viewer'): Promise<void> {
    const sent = world.mailbox.messages.filter(({ to }) => to === email).length
    await owner().createTeamInvitation({ email, role })
    await client.acceptInvitation({ token: await world.mailbox.token(email, sent + 1) })
  }

  const eventsOf = async (room_id: string) =>
    (await manager().listEvents({ room_id, types: ['participant.revoked'] })).data

  it('end with the membership at once, and do not come back with a new one', async () => {
    const room_id = await world.room()
    const { person, membership_id } = await newMember()
    await world.invite(room_id, person, 'full_access')
    const { room: theirs } = await world.as(person).createRoom({ title: 'Of Max alone' })
    await owner().removeMembership({ membership_id })
    await comeBack(person, 'admin')
    for (const id of [room_id, theirs.room_id])
      await refused(world.as(person).getRoom({ room_id: id }), 'not_found')
    assert.deepEqual((await world.as(person).listRooms({})).data, [])
    await refused(world.as(person).updateRoom({ room_id, expected_revision: 1, title: 'Mine' }), 'not_found')
    assert.deepEqual((await world.as(person).listEvents({})).data, [])
  })

  it('appear as revoked before the job has run', async () => {
    const room_id = await world.room()
    const { person, membership_id } = await newMember()
    const participant_id = await world.invite(room_id, person, 'full_access')
    await world.service.sql(`update memberships set status = 'removed' where id = $1`, [membership_id])
    const { participant } = await manager().getParticipant({ room_id, participant_id })
    assert.equal(participant.status, 'revoked')
    const { participants } = await manager().listParticipants({ room_id })
    assert.ok(!participants.some(one => one.participant_id === participant_id))
    await refused(manager().revokeParticipant({ room_id, participant_id }), 'state_conflict')
  })

  it('end with one event in each Room, by the service', async () => {
    const rooms = await Promise.all(Array.from({ length: 3 }, () => world.room()))
    const { person, membership_id } = await newMember()
    for (const room_id of rooms) await world.invite(room_id, person, 'edit')
    const [left] = rooms as [string]
    await world.as(person).leaveRoom({ room_id: left })
    await world.as(person).leaveTeam({})
    for (const room_id of rooms.slice(1)) {
      const [event] = await eventually(async () => {
        const events = await eventsOf(room_id)
        return events.length > 0 && events
      })
      assert.equal(event?.actor.type, 'system')
      assert.deepEqual(event?.about, { user_id: person.user_id, email: person.email, name: person.name })
    }
    const [job] = await eventually(async () => {
      const jobs = await world.service.sql(
        `select state from svc_jobs.job where name = 'end_participation' and data ->> 'membership_id' = $1`,
        [membership_id],
      )
      return jobs[0]?.['state'] === 'completed' && jobs
    })
    assert.ok(job)
    for (const room_id of rooms.slice(1)) assert.equal((await eventsOf(room_id)).length, 1)
    assert.deepEqual(await eventsOf(left), [])
    const statuses = await world.service.sql<{ status: string }>(
      'select distinct status from room_participants where user_id = $1',
      [person.user_id],
    )
    assert.deepEqual(new Set(statuses.map(row => row.status)), new Set(['left', 'revoked']))
  })

  it('end with one event in each of very many Rooms, however often the job runs', async () => {
    const { person, membership_id } = await newMember()
    const rooms = 450
    const { workspace_id } = world
    await world.service.sql(
      `with made as (
         insert into rooms (workspace_id, id, title, general_access, created_by, created_at, updated_at)
         select $1, 'rom_' || lpad(n::text, 26, '0'), 'Of many', 'invited_only', $2, now(), now()
         from generate_series(1, ${rooms}) n returning id
       )
       insert into room_participants (workspace_id, room_id, id, user_id, as_guest, access_level, status, created_at, updated_at)
       select $1, id, gen_random_uuid(), $2, false, 'view', 'active', now(), now() from made`,
      [workspace_id, person.user_id],
    )
    await world.service.sql(`update memberships set status = 'removed' where id = $1`, [membership_id])
    const changeRooms = createSystemChangeOfRooms(world.service.database.writers, () => new Date())
    const end = (id: string) => endParticipation({ changeRooms })({ workspace_id, membership_id }, { id })
    const job = randomUUID()
    await Promise.all([end(job), end(job), end(randomUUID())])
    await end(job)
    const told = await world.service.sql<{ room_id: string; times: number }>(
      `select room_id, count(*)::int as times from events
       where type = 'participant.revoked' and about ->> 'user_id' = $1 group by room_id order by room_id`,
      [person.user_id],
    )
    assert.equal(told.length, rooms)
    assert.deepEqual(
      told.filter(({ times }) => times !== 1),
      [],
    )
  })

  it('are new ones after another invitation', async () => {
    const room_id = await world.room()
    const { person, membership_id } = await newMember()
    const before = await world.invite(room_id, person, 'full_access')
    // The job runs only after they have returned to the Room.
    await world.service.sql(`update memberships set status = 'removed' where id = $1`, [membership_id])
    await comeBack(person)
    const { token, participant_id } = await world.mailed(room_id, person.email, 'view')
    await person.client.acceptInvitation({ token })
    assert.notEqual(participant_id, before)
    assert.equal((await world.as(person).getRoom({ room_id })).room.access_level, 'view')
    const { participants } = await manager().listParticipants({ room_id })
    assert.deepEqual(
      participants.filter(one => one.user_id === person.user_id).map(one => one.participant_id),
      [participant_id],
    )
  })

  it('do not count as managing the Room', async () => {
    const room_id = await world.room()
    const { person, membership_id } = await newMember()
    const participant_id = await world.invite(room_id, person, 'full_access')
    await world.service.sql(`update memberships set status = 'removed' where id = $1`, [membership_id])
    await comeBack(person)
    const { participants } = await manager().listParticipants({ room_id })
    const own = participants.find(one => one.user_id === world.people.member.user_id)
    const { current_status } = await refused(
      manager().revokeParticipant({ room_id, participant_id: own?.participant_id ?? '' }),
      'state_conflict',
    )
    assert.equal(current_status, 'last_full_access', participant_id)
  })

  it('do not include what a guest was given', async () => {
    const room_id = await world.room()
    const { guest } = world.people
    await world.invite(room_id, guest, 'edit')
    const membership_id = await world.service.join(world.workspace_id, guest, 'member')
    await owner().removeMembership({ membership_id })
    assert.equal((await world.as(guest).getRoom({ room_id })).room.access_level, 'edit')
  })

  it('can be replaced by break-glass access', async () => {
    const room_id = await world.room()
    const { person, membership_id } = await newMember('Otto')
    await world.invite(room_id, person, 'edit')
    await world.service.sql(`update memberships set status = 'removed' where id = $1`, [membership_id])
    await world.service.join(world.workspace_id, person, 'owner')
    await refused(world.as(person).getRoom({ room_id }), 'not_found')
    await world.as(person).breakGlass({ room_id, reason: 'Nobody else is there.' })
    assert.equal((await world.as(person).getRoom({ room_id })).room.access_level, 'full_access')
  })
})
