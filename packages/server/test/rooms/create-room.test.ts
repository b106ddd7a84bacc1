import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addBusiness } from '../harness/businesses.ts'
import { refused } from '../harness/refused.ts'
import { makeRoomWorld, type RoomWorld } from './room-fixture.ts'

let world: RoomWorld
before(async () => void (world = await makeRoomWorld()))
after(() => world.close())
const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])

describe('POST /v1/rooms', () => {
  it('creates a Room about a Business, which members who may read Businesses can view', async () => {
    const business_id = await addBusiness(world.service, { name: 'Glacier Credit Union' })
    const { room, action_receipt } = await client('member').createRoom({
      title: '  Sale of Glacier ',
      purpose: 'To find\na buyer',
      business_id,
    })
    const { room_id, created_at, updated_at, ...rest } = room
    assert.match(room_id, /^rom_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
    assert.equal(created_at, updated_at)
    assert.deepEqual(rest, {
      business_id,
      title: 'Sale of Glacier',
      purpose: 'To find\na buyer',
      status: 'active',
      revision: 1,
      archived_at: null,
      access_level: 'full_access',
      general_access: 'business',
      general_access_level: 'view',
      participant_visibility: 'everyone',
      guest_files: 'everyone',
      attachments: [],
      sub_room_count: 0,
    })
    assert.equal(action_receipt.action, 'create_room')
    assert.equal(action_receipt.operation, undefined)
    assert.deepEqual(action_receipt.resource, { type: 'room', id: room_id })
    assert.equal((await client('viewer').getRoom({ room_id })).room.access_level, 'view')
    assert.deepEqual(await world.eventsOf(room_id), ['room.created'])
  })

  it('creates a Room without a Business as invited_only, hidden from owner and admin, too', async () => {
    const { room } = await client('member').createRoom({ title: 'Private' })
    assert.deepEqual(
      [room.general_access, room.general_access_level, room.business_id, room.parent],
      ['invited_only', null, undefined, undefined],
    )
    for (const name of ['owner', 'admin', 'viewer', 'guest'] as const)
      await refused(
        client(name).getRoom({ room_id: room.room_id }),
        name === 'guest' ? 'forbidden' : 'not_found',
      )
  })

  it('creates an invited_only sub-room with the Business of its parent, and access to the parent gives none', async () => {
    const business_id = await addBusiness(world.service, { name: 'Glacier' })
    const { room: parent } = await client('member').createRoom({ title: 'Sale', business_id })
    await world.invite(parent.room_id, world.people.admin, 'full_access')
    const { room } = await client('member').createRoom({ title: 'Bids', parent_room_id: parent.room_id })
    assert.deepEqual(
      [room.business_id, room.general_access, room.parent],
      [business_id, 'invited_only', { room_id: parent.room_id, title: 'Sale' }],
    )
    await refused(client('admin').getRoom({ room_id: room.room_id }), 'not_found')
    const counts = async (name: 'member' | 'admin') =>
      (await client(name).getRoom({ room_id: parent.room_id })).room.sub_room_count
    assert.deepEqual([await counts('member'), await counts('admin')], [1, 0])
  })

  it('requires full access to a visible, active parent that is not a sub-room', async () => {
    const { room: parent } = await client('member').createRoom({ title: 'Sale' })
    const below = (parent_room_id: string) => ({ title: 'Bids', parent_room_id })
    await refused(client('owner').createRoom(below(parent.room_id)), 'not_found')
    await refused(client('owner').createRoom(below(newId('rom'))), 'not_found')
    await world.invite(parent.room_id, world.people.owner, 'edit')
    await refused(client('owner').createRoom(below(parent.room_id)), 'forbidden')
    const { room: sub } = await client('member').createRoom(below(parent.room_id))
    const { errors } = await refused(client('member').createRoom(below(sub.room_id)), 'validation_error')
    assert.deepEqual(
      errors.map(one => [one.pointer, one.code]),
      [['/parent_room_id', 'conflict']],
    )
    await client('member').archiveRoom({ room_id: parent.room_id, expected_revision: 1 })
    await refused(client('member').createRoom(below(parent.room_id)), 'state_conflict')
  })

  it('refuses a Business other than that of the parent', async () => {
    const business_id = await addBusiness(world.service, { name: 'Glacier' })
    const { room: parent } = await client('member').createRoom({ title: 'Sale', business_id })
    const other = await addBusiness(world.service, { name: 'Other' })
    const { errors } = await refused(
      client('member').createRoom({ title: 'Bids', parent_room_id: parent.room_id, business_id: other }),
      'validation_error',
    )
    assert.deepEqual(
      errors.map(one => one.pointer),
      ['/business_id'],
    )
    await client('member').createRoom({ title: 'Bids', parent_room_id: parent.room_id, business_id })
  })

  it('answers 404 for a Business that the caller cannot see', async () => {
    const draft = await addBusiness(world.service, { name: 'Secret', publication_status: 'draft' })
    for (const business_id of [draft, newId('biz')])
      await refused(client('owner').createRoom({ title: 'A Room', business_id }), 'not_found')
    await world.service.link(world.workspace_id, draft, world.people.owner, 'full_access')
    await client('owner').createRoom({ title: 'A Room', business_id: draft })
  })

  it('refuses invalid titles and purposes', async () => {
    for (const wrong of [
      { title: '' },
      { title: 'a\u0007b' },
      { title: 'x'.repeat(201) },
      {},
      { title: 'A', purpose: '' },
      { title: 'A', purpose: 'x'.repeat(2001) },
    ])
      await refused(client('member').createRoom(wrong as { title: string }), 'validation_error')
  })

  it('creates one Room for 16 concurrent duplicates', async () => {
    const options = { idempotency_key: randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => client('member').createRoom({ title: 'Once' }, options)),
    )
    assert.equal(new Set(answers.map(answer => answer.room.room_id)).size, 1)
    assert.equal(answers.filter(answer => !answer.idempotent_replay).length, 1)
  })

  it('refuses guests, except for a sub-room of a Room that they manage', async () => {
    const { room: parent } = await client('member').createRoom({ title: 'Sale' })
    await world.invite(parent.room_id, world.people.guest, 'full_access')
    await refused(client('guest').createRoom({ title: 'Mine' }), 'forbidden')
    const { room } = await client('guest').createRoom({ title: 'Below', parent_room_id: parent.room_id })
    assert.equal(room.access_level, 'full_access')
  })

  it('never creates a sub-room of a sub-room, also in a race', async () => {
    for (let round = 0; round < 5; round++) {
      const { room: top } = await client('member').createRoom({ title: 'Top' })
      const { room: sub } = await client('member').createRoom({ title: 'Sub', parent_room_id: top.room_id })
      const results = await Promise.allSettled([
        client('member').createRoom({ title: 'Third', parent_room_id: sub.room_id }),
        client('member').createRoom({ title: 'Second', parent_room_id: top.room_id }),
        client('member').archiveRoom({ room_id: top.room_id, expected_revision: 1 }),
      ])
      assert.equal(results[0]?.status, 'rejected')
      assert.equal(results[2]?.status, 'fulfilled')
    }
    const [{ deep }] = (await world.service.sql(
      `select count(*)::int as deep from rooms r join rooms p on p.id = r.parent_id where p.parent_id is not null`,
    )) as [{ deep: number }]
    assert.equal(deep, 0)
  })
})
