import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { addBusiness } from '../harness/businesses.ts'
import { refused } from '../harness/refused.ts'
import { makeRoomWorld, type RoomWorld } from './room-fixture.ts'

let world: RoomWorld
let business_id: string
const rooms: Record<'open' | 'sale' | 'bids' | 'secret' | 'old', string> = {
  open: '',
  sale: '',
  bids: '',
  secret: '',
  old: '',
}
before(async () => {
  world = await makeRoomWorld()
  business_id = await addBusiness(world.service, { name: 'Glacier' })
  const make = async (...input: Parameters<ReturnType<typeof client>['createRoom']>) =>
    (await client('member').createRoom(...input)).room.room_id
  rooms.open = await make({ title: 'Öffentlich' })
  await client('member').updateRoom({
    room_id: rooms.open,
    expected_revision: 1,
    general_access: 'workspace',
  })
  rooms.sale = await make({ title: 'Sale of Glacier', business_id })
  rooms.bids = await make({ title: 'Bids', parent_room_id: rooms.sale })
  rooms.secret = await make({ title: '100% secret_' })
  rooms.old = await make({ title: 'Old' })
  await client('member').archiveRoom({ room_id: rooms.old, expected_revision: 1 })
})
after(() => world.close())
const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])
const listed = async (name: keyof RoomWorld['people'], filter = {}) =>
  (await client(name).listRooms(filter)).data.map(room => room.room_id)

describe('GET /v1/rooms', () => {
  it('lists the Rooms that the caller can see, by id, with their level', async () => {
    assert.deepEqual(await listed('member'), Object.values(rooms))
    assert.deepEqual(await listed('viewer'), [rooms.open, rooms.sale])
    assert.deepEqual(
      (await client('viewer').listRooms()).data.map(room => room.access_level),
      ['view', 'view'],
    )
  })

  it('filters by Business, parent, status and title, all at once', async () => {
    assert.deepEqual(await listed('member', { business_id }), [rooms.sale, rooms.bids])
    assert.deepEqual(await listed('member', { parent_room_id: rooms.sale }), [rooms.bids])
    assert.deepEqual(await listed('member', { status: 'archived' }), [rooms.old])
    assert.deepEqual(await listed('member', { title: 'öFFENT' }), [rooms.open])
    assert.deepEqual(await listed('member', { title: '% SECRET_' }), [rooms.secret])
    assert.deepEqual(await listed('member', { title: 'e', status: 'active', business_id }), [rooms.sale])
    assert.deepEqual(await listed('viewer', { parent_room_id: rooms.sale }), [])
  })

  it('returns every Room exactly once over all pages', async () => {
    const seen: string[] = []
    for await (const room of client('member').listRooms.each({ limit: 2 })) seen.push(room.room_id)
    assert.deepEqual(seen, Object.values(rooms))
    assert.deepEqual((await client('member').listRooms({ limit: 5 })).page, { cursor: null, has_more: false })
  })

  it('shows a guest only the Rooms to which they were invited', async () => {
    await refused(client('guest').listRooms(), 'forbidden')
    const id = await world.invite(rooms.bids, world.people.guest, 'edit')
    const { data } = await client('guest').listRooms()
    assert.deepEqual(
      data.map(room => [room.room_id, room.access_level]),
      [[rooms.bids, 'edit']],
    )
    assert.deepEqual(data[0]?.parent, { room_id: rooms.sale, title: null })
    for (const hidden of [rooms.sale, rooms.open])
      await refused(client('guest').getRoom({ room_id: hidden }), 'not_found')
    await refused(client('guest').listTeamMembers(), 'forbidden')
    await refused(client('guest').getWorkspace({ workspace_id: world.workspace_id }), 'forbidden')
    await refused(client('guest').listWorkspaceBusinesses({ workspace_id: world.workspace_id }), 'forbidden')
    await world.service.sql(`update room_participants set expires_at = now() where id = $1`, [id])
    await refused(client('guest').listRooms(), 'forbidden')
    await refused(client('guest').getRoom({ room_id: rooms.bids }), 'forbidden')
  })
})

describe('a former member', () => {
  it('loses the Rooms they had as a member, also after they return, and keeps those they had as a guest', async () => {
    const { room } = await client('member').createRoom({ title: 'Handed over' })
    const { room_id } = room
    const leaver = world.service.person('Leaver')
    const membership_id = await world.service.join(world.workspace_id, leaver, 'member')
    await world.invite(room_id, leaver, 'edit')
    await world.invite(room_id, world.people.rival, 'edit')
    await world.as(leaver).getRoom({ room_id })
    await client('owner').removeMembership({ membership_id })
    await refused(world.as(leaver).getRoom({ room_id }), 'forbidden')
    await refused(
      world.as(leaver).attachRoomResource({ room_id, resource_type: 'business', resource_id: business_id }),
      'forbidden',
    )
    await client('rival').getRoom({ room_id })
    await world.service.join(world.workspace_id, leaver, 'viewer')
    await refused(world.as(leaver).getRoom({ room_id }), 'not_found')
  })
})

describe('GET /v1/rooms/{room_id}/access', () => {
  const explain = (name: keyof RoomWorld['people'], room_id: string, user_id?: string) =>
    client(name).getRoomAccess({ room_id, user_id })

  it('gives the reasons for access to a Room, and the level', async () => {
    const { request_id: _, ...own } = await explain('member', rooms.sale)
    assert.deepEqual(own, {
      user_id: world.people.member.user_id,
      effective_level: 'full_access',
      reasons: [
        { source: 'participant', level: 'full_access' },
        { source: 'general_access_business', level: 'view' },
      ],
    })
    const viewer = await explain('member', rooms.open, world.people.viewer.user_id)
    assert.deepEqual(
      [viewer.effective_level, viewer.reasons],
      ['view', [{ source: 'general_access_workspace', level: 'view' }]],
    )
    const nobody = await explain('member', rooms.secret, world.people.admin.user_id)
    assert.deepEqual([nobody.effective_level, nobody.reasons], [null, []])
    assert.equal((await explain('member', rooms.open, randomUUID())).effective_level, null)
    assert.equal((await explain('member', rooms.open, world.people.guest.user_id)).effective_level, null)
  })

  it('explains their own access to everybody, and that of others to managers', async () => {
    assert.equal((await explain('viewer', rooms.sale)).effective_level, 'view')
    await refused(explain('viewer', rooms.sale, world.people.member.user_id), 'forbidden')
    await refused(explain('viewer', rooms.secret, world.people.member.user_id), 'not_found')
  })
})
