import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { createSystemChangeOfRooms } from '../../../src/call/system-change.ts'
import { endConnections } from '../../../src/connections/ending/end-connections.ts'
import { eventually } from '../../harness/eventually.ts'
import type { Person } from '../../harness/service.ts'
import { makeConnectionWorld, type ConnectionWorld } from '../connection-fixture.ts'

describe('the connections of somebody who leaves', () => {
  let world: ConnectionWorld
  before(async () => (world = await makeConnectionWorld()))
  after(() => world.close())

  async function newMember(name = 'Max'): Promise<{ person: Person; membership_id: string }> {
    const person = world.service.person(name)
    return { person, membership_id: await world.service.join(world.workspace_id, person, 'member') }
  }

  const manager = () => world.as(world.people.member)

  /** Invites a person by mail, for so many seconds. */
  async function enter(room_id: string, { email, client }: Person, seconds: number): Promise<string> {
    const expires_at = new Date(Date.now() + seconds * 1000).toISOString()
    const { participant } = await manager().inviteParticipant({
      room_id,
      email,
      access_level: 'edit',
      expires_at,
    })
    await client.acceptInvitation({ token: await world.mailbox.token(email, 1) })
    return participant.participant_id
  }

  /** The events of a Room about connections and approvals, oldest first, once there are so many. */
  const eventsOf = (room_id: string, count: number) =>
    eventually(async () => {
      const { data } = await manager().listEvents({ room_id, types: ['connection.*', 'approval.*'] })
      return data.length >= count ? data.toReversed() : undefined
    })

  it('are stopped by the service when they are revoked, leave or expire, with their open approvals', async () => {
    const ways = {
      revoke: (room_id: string, participant_id: string) =>
        manager().revokeParticipant({ room_id, participant_id }),
      leave: (room_id: string, _: string, person: Person) => world.as(person).leaveRoom({ room_id }),
      expire: async () => undefined,
    }
    for (const [way, end] of Object.entries(ways)) {
      const room_id = await world.room()
      const { person } = await newMember()
      const participant_id = await enter(room_id, person, way === 'expire' ? 4 : 3600)
      const key = await world.share(room_id, person)
      await world.share(room_id)
      const { data } = await world.as(person).requestApproval({ ...key, operation: 'change', arguments: {} })
      await end(room_id, participant_id, person)
      const events = await eventsOf(room_id, 5)
      assert.deepEqual(
        events.slice(3).map(({ type, actor, subject }) => [type, actor.type, subject.id]),
        [
          ['connection.stopped', 'system', key.connection_id],
          ['approval.canceled', 'system', data.approval_id],
        ],
        way,
      )
      assert.deepEqual(await world.savedIn(room_id), ['stopped', 'live'], way)
      assert.equal((await manager().getApproval({ approval_id: data.approval_id })).data.status, 'canceled')
    }
  })

  it('are stopped in every Room when they leave the team, and stay so when they come back', async () => {
    const { person } = await newMember()
    const rooms: string[] = []
    for (let at = 0; at < 3; at++) {
      const room_id = await world.room()
      await world.invite(room_id, person, 'edit')
      await world.share(room_id, person)
      await world.share(room_id, person)
      rooms.push(room_id)
    }
    await world.as(person).leaveTeam({})
    for (const room_id of rooms) {
      const events = await eventsOf(room_id, 4)
      assert.deepEqual(
        events.map(({ type }) => type),
        ['connection.shared', 'connection.shared', 'connection.stopped', 'connection.stopped'],
      )
      assert.deepEqual(await world.savedIn(room_id), ['stopped', 'stopped'])
    }
    await world.service.join(world.workspace_id, person, 'admin')
    const [room_id] = rooms as [string]
    await eventually(async () =>
      (await world.eventsOf(room_id)).includes('participant.revoked') ? true : undefined,
    )
    await world.invite(room_id, person, 'full_access')
    const { data } = await world.as(person).listConnections({ room_id })
    assert.deepEqual(
      data.map(one => one.status),
      ['stopped', 'stopped'],
    )
  })

  it('are stopped when an owner removes them from the team', async () => {
    const { person, membership_id } = await newMember()
    const room_id = await world.room()
    await world.invite(room_id, person, 'full_access')
    await world.share(room_id, person)
    await world.as(world.people.owner).removeMembership({ membership_id })
    await eventsOf(room_id, 2)
    assert.deepEqual(await world.savedIn(room_id), ['stopped'])
  })

  it('go on if they have access in another way that they shared by, and end with the last way', async () => {
    const room_id = await world.room()
    await world.service.sql(
      `update rooms set general_access = 'workspace', general_access_level = 'edit' where id = $1`,
      [room_id],
    )
    const { person } = await newMember()
    const before = await world.share(room_id, person)
    const participant_id = await world.invite(room_id, person, 'edit')
    const since = await world.share(room_id, person)
    await manager().revokeParticipant({ room_id, participant_id })
    const events = await eventsOf(room_id, 3)
    assert.deepEqual([events[2]?.type, events[2]?.subject.id], ['connection.stopped', since.connection_id])
    assert.equal((await world.seen(before, world.people.member))?.status, 'live')
  })

  it('are recorded once, however often and in parallel the job runs', async () => {
    const { person, membership_id } = await newMember()
    const rooms = []
    for (let at = 0; at < 3; at++) {
      const room_id = await world.room()
      await world.invite(room_id, person, 'edit')
      await world.share(room_id, person)
      rooms.push(room_id)
    }
    await world.service.sql(`update memberships set status = 'removed' where id = $1`, [membership_id])
    const changeRooms = createSystemChangeOfRooms(world.service.database.writers, () => new Date())
    const { workspace_id } = world
    const data = { workspace_id, user_id: person.user_id, room_id: null }
    const ids = [randomUUID(), randomUUID()]
    await Promise.all([...ids, ...ids, ...ids].map(id => endConnections({ changeRooms })(data, { id })))
    for (const room_id of rooms)
      assert.deepEqual(
        (await eventsOf(room_id, 2)).map(({ type }) => type),
        ['connection.shared', 'connection.stopped'],
      )
  })
})
