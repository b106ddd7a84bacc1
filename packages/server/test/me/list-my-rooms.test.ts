import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { explainedReader } from '../../../../bench/reads/explained-reader.ts'
import { fillWithRooms } from '../../../../bench/rooms/room-world.ts'
import { connectionConfig } from '../../src/database/connections/connection.ts'
import { myRoomsPage } from '../../src/me/my-room-store.ts'
import { refused } from '../harness/refused.ts'
import type { Person } from '../harness/service.ts'
import { makeRoomWorld, type RoomWorld } from '../rooms/room-fixture.ts'
import { superuserPool } from '../harness/postgres/superuser-pool.ts'

let world: RoomWorld
before(async () => void (world = await makeRoomWorld()))
after(() => world.close())

/** Somebody from outside who was invited to a Room and has joined it. */
async function guestOf(room_id: string, access_level: 'view' | 'edit' = 'view'): Promise<Person> {
  const { email, token } = await world.mailed(room_id, undefined, access_level)
  const person = world.holder(email, 'Gus')
  await person.client.acceptInvitation({ token })
  return person
}
const idsOf = async ({ client }: Person) => (await client.listMyRooms()).data.map(({ room_id }) => room_id)
const set = (text: string, values: unknown[]) => world.service.sql(text, values)

describe('a guest who has joined a Room', () => {
  it('finds it and its Workspace with their token alone, and opens it by that', async () => {
    const room_id = await world.room('Sale of Glacier')
    const guest = await guestOf(room_id, 'edit')
    const { data, page } = await guest.client.listMyRooms()
    const [{ joined_at, ...room } = assert.fail(), ...more] = data
    assert.deepEqual(room, {
      room_id,
      title: 'Sale of Glacier',
      status: 'active',
      workspace_id: world.workspace_id,
      workspace_name: 'Harbor Street Partners',
      access_level: 'edit',
    })
    assert.deepEqual(more, [])
    assert.deepEqual(page, { cursor: null, has_more: false })
    const opened = await guest.client.getRoom({ room_id }, { workspace_id: room.workspace_id })
    assert.equal(opened.room.title, 'Sale of Glacier')
    const me = (await guest.client.getMe()).data
    assert.deepEqual([me.memberships, me.rooms, me.rooms_has_more], [[], data, false])
    const [row] = await set(
      'select joined_at, created_at from room_participants where room_id = $1 and email_key = $2',
      [room_id, guest.email],
    )
    assert.equal(new Date(joined_at).getTime(), row?.['joined_at'].getTime())
    assert.ok(row?.['joined_at'] > row?.['created_at'], 'not when they were invited')
  })

  it('has the Rooms of several Workspaces, the latest invitation first, in pages', async () => {
    const { owner } = world.people
    const rooms = [await world.room('One'), await world.room('Two')]
    const guest = await guestOf(rooms[0] ?? '')
    await world.invite(rooms[1] ?? '', guest, 'view')
    const elsewhere = await world.service.workspace('Elsewhere', owner)
    const there = world.service.client({ access_token: owner.token, workspace_id: elsewhere })
    const { room } = await there.createRoom({ title: 'Three' })
    const invited = await there.inviteParticipant({
      room_id: room.room_id,
      email: guest.email,
      access_level: 'view',
    })
    assert.equal(invited.participant.status, 'pending')
    assert.equal((await idsOf(guest)).length, 2, 'an invitation is no Room yet')
    await guest.client.acceptInvitation({ token: await world.mailbox.token(guest.email, 2) })
    const expected = [room.room_id, rooms[1], rooms[0]]
    assert.deepEqual(await idsOf(guest), expected)
    const first = await guest.client.listMyRooms({ limit: 2 })
    assert.deepEqual(
      first.data.map(one => one.workspace_name),
      ['Elsewhere', 'Harbor Street Partners'],
    )
    assert.equal(first.page.has_more, true)
    const second = await guest.client.listMyRooms({ limit: 2, cursor: first.page.cursor ?? '' })
    assert.deepEqual(
      [...first.data, ...second.data].map(({ room_id }) => room_id),
      expected,
    )
    assert.deepEqual(second.page, { cursor: null, has_more: false })
  })

  it('sees an archived Room as such', async () => {
    const room_id = await world.room()
    const guest = await guestOf(room_id)
    await world.as(world.people.member).archiveRoom({ room_id, expected_revision: 1 })
    assert.equal((await guest.client.listMyRooms()).data[0]?.status, 'archived')
  })

  const ends: [when: string, change: string][] = [
    [
      'it was revoked',
      `update room_participants set status = 'revoked' where room_id = $1 and email_key = $2`,
    ],
    [
      'its end date has passed, before a job records that',
      `update room_participants set expires_at = now() - interval '1 second' where room_id = $1 and email_key = $2`,
    ],
    [
      'the Workspace was closed',
      `update workspaces set status = 'closed'
       where id = (select workspace_id from room_participants where room_id = $1 and email_key = $2)`,
    ],
  ]
  for (const [when, change] of ends)
    it(`has lost it once ${when}`, async () => {
      const room_id = await world.room()
      const guest = await guestOf(room_id)
      assert.deepEqual(await idsOf(guest), [room_id])
      await set(change, [room_id, guest.email])
      assert.deepEqual(await idsOf(guest), [])
      assert.deepEqual((await guest.client.getMe()).data.rooms, [])
      await set(`update workspaces set status = 'active' where id = $1`, [world.workspace_id])
    })
})

describe('a member', () => {
  /** A new member who was invited to a Room. */
  async function memberOf(room_id: string): Promise<Person> {
    const person = world.service.person('Mia')
    await world.service.join(world.workspace_id, person, 'member')
    await world
      .as(world.people.member)
      .inviteParticipant({ room_id, email: person.email, access_level: 'view' })
    await person.client.acceptInvitation({ token: await world.mailbox.token(person.email) })
    return person
  }

  it('has the Rooms in which they take part, and not those open by general access', async () => {
    const room_id = await world.room()
    const person = await memberOf(room_id)
    const open = await world.room('Open to all')
    await world.as(world.people.member).updateRoom({
      room_id: open,
      expected_revision: 1,
      general_access: 'workspace',
      general_access_level: 'view',
    })
    assert.deepEqual(await idsOf(person), [room_id])
  })

  it('has none of them without the permission to read Rooms, nor once the membership has ended', async () => {
    const room_id = await world.room()
    const person = await memberOf(room_id)
    const change = (what: string) =>
      set(`update memberships set ${what} where workspace_id = $1 and user_id = $2`, [
        world.workspace_id,
        person.user_id,
      ])
    await change(`permissions = '{"rooms:read": false}'`)
    assert.deepEqual(await idsOf(person), [])
    await change(`permissions = '{}'`)
    assert.deepEqual(await idsOf(person), [room_id])
    await change(`status = 'removed'`)
    assert.deepEqual(await idsOf(person), [])
    // A new membership does not bring back what the earlier one had.
    await world.service.join(world.workspace_id, person, 'member')
    assert.deepEqual(await idsOf(person), [])
  })
})

describe('an API key', () => {
  it('has the Rooms of its owner in its own Workspace, if it may read Rooms', async () => {
    const { owner } = world.people
    const room_id = await world.room()
    await world.invite(room_id, owner, 'view')
    const elsewhere = await world.service.workspace('Elsewhere', owner)
    const there = world.service.client({ access_token: owner.token, workspace_id: elsewhere })
    const { room } = await there.createRoom({ title: 'There' })
    const roomsOf = async (workspace_id: string, scope: 'rooms:read' | 'tasks:read') => {
      const { secret } = await world.service.apiKey(workspace_id, owner, [scope])
      const client = world.service.client({ api_key: secret })
      const { data } = await client.listMyRooms()
      assert.deepEqual((await client.getMe()).data.rooms, data)
      return data.map(one => one.room_id)
    }
    assert.ok((await roomsOf(world.workspace_id, 'rooms:read')).includes(room_id))
    assert.deepEqual(await roomsOf(elsewhere, 'rooms:read'), [room.room_id])
    assert.deepEqual(await roomsOf(elsewhere, 'tasks:read'), [])
  })
})

describe('GET /v1/me/rooms', () => {
  it('refuses a cursor that is none, and an anonymous caller', async () => {
    const { guest } = world.people
    await refused(guest.client.listMyRooms({ cursor: 'rom_1' }), 'validation_error')
    await refused(world.service.anonymous.listMyRooms(), 'unauthenticated')
  })

  it('goes on past many participations in Workspaces that were closed', async () => {
    const { owner } = world.people
    const guest = world.service.person('Gus')
    await guest.client.createWorkspace({ name: 'Their own' })
    const kept = await world.room('Kept')
    await world.invite(kept, guest, 'view')
    const closed = await world.service.workspace('Closed', owner)
    await fill(closed, 1100, [{ person: guest, rooms: 1100 }])
    await set(`update workspaces set status = 'closed' where id = $1`, [closed])
    const first = await guest.client.listMyRooms()
    assert.deepEqual([first.data, first.page.has_more], [[], true])
    const me = (await guest.client.getMe()).data
    assert.deepEqual([me.rooms, me.rooms_has_more], [[], true])
    const second = await guest.client.listMyRooms({ cursor: first.page.cursor ?? '' })
    assert.deepEqual(
      second.data.map(one => one.room_id),
      [kept],
    )
    assert.equal(second.page.has_more, false)
  })
})

/** Fills a Workspace with Rooms in which people take part. */
async function fill(workspace_id: string, rooms: number, guests: { person: Person; rooms: number }[]) {
  const pool = superuserPool(world.service.testDatabase.address)
  const participants = guests.map(one => ({ user_id: one.person.user_id, as_guest: true, rooms: one.rooms }))
  await fillWithRooms(pool, workspace_id, { rooms, events: 1 }, participants)
  await pool.end()
}

describe('a page of the Rooms of somebody costs the same, however many Rooms there are', () => {
  const ways = ['force_generic_plan', 'force_custom_plan']
  const small = new Map<string, number>()
  let guest: Person
  before(async () => {
    // Autovacuum is off, so that there are statistics only after ANALYZE.
    for (const table of ['room_participants', 'rooms'])
      await set(`alter table ${table} set (autovacuum_enabled = off)`, [])
    const { owner } = world.people
    for (const rooms of [20, 10_000]) {
      guest = world.service.person('Gus')
      await guest.client.createWorkspace({ name: 'Their own' })
      const workspace_id = await world.service.workspace(`Of ${rooms} Rooms`, owner)
      await fill(workspace_id, rooms, [
        { person: owner, rooms },
        { person: guest, rooms: 3 },
      ])
      if (rooms === 20) for (const plans of ways) small.set(plans, await buffers(plans, guest, 3))
    }
  })

  /** What the first page of somebody costs who has so many Rooms on it. */
  async function buffers(plans: string, { user_id }: Person, expected: number): Promise<number> {
    const { address } = world.service.testDatabase
    const settings = { plan_cache_mode: plans, 'svc.user_id': user_id }
    const client = new pg.Client(connectionConfig(address, 'svc_reader', settings))
    await client.connect()
    try {
      const { reader, taken } = explainedReader(client)
      const whose = { user_id, workspace_id: null }
      // The first time, it also reads what planning takes.
      for (const time of ['first', 'second']) {
        taken.length = 0
        const { rooms } = await myRoomsPage(reader, whose, { after: null, limit: 20 })
        assert.equal(rooms.length, expected, time)
      }
      return taken.reduce((sum, one) => sum + one.buffers, 0)
    } finally {
      await client.end()
    }
  }

  for (const statistics of ['without', 'with'])
    for (const plans of ways)
      it(`${statistics} statistics, ${plans}`, async () => {
        if (statistics === 'with') await set('analyze', [])
        const [few = 0, many] = [small.get(plans), await buffers(plans, guest, 3)]
        assert.ok(many <= few + 60, `${few} buffers among few Rooms, ${many} among many`)
        const all = await buffers(plans, world.people.owner, 20)
        assert.ok(all <= 300, `${all} buffers for a page of whoever takes part in all Rooms`)
      })
})
