import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { fillWithRooms } from '../../../../bench/rooms/room-world.ts'
import { addBusiness } from '../harness/businesses.ts'
import { makeRoomWorld, type RoomWorld } from './room-fixture.ts'
import { superuserPool } from '../harness/postgres/superuser-pool.ts'

const rooms = 6000

describe('GET /v1/rooms in a Workspace of many Rooms', () => {
  let world: RoomWorld
  const businesses: Record<'open' | 'hidden', string> = { open: '', hidden: '' }
  /** The Room with a number. */
  const room = (number: number) => `rom_0${String(number).padStart(25, '0')}`
  const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])
  const sql = (text: string, values: unknown[] = []) => world.service.sql(text, values)

  before(async () => {
    world = await makeRoomWorld()
    const { service, workspace_id, people } = world
    businesses.open = await addBusiness(service, { name: 'Glacier', publication_status: 'published' })
    businesses.hidden = await addBusiness(service, { name: 'Not ours', publication_status: 'draft' })
    const pool = superuserPool(service.testDatabase.address)
    await fillWithRooms(pool, workspace_id, { rooms }, [
      { user_id: people.owner.user_id, as_guest: false, rooms },
      { user_id: people.viewer.user_id, as_guest: false, rooms: 60 },
      { user_id: people.guest.user_id, as_guest: true, rooms: 60 },
    ])
    await pool.end()
  })
  after(() => world.close())

  const ids = async (name: keyof RoomWorld['people'], filter = {}) => {
    const found: string[] = []
    for await (const one of client(name).listRooms.each({ limit: 100, ...filter })) found.push(one.room_id)
    return found
  }
  const numbers = (count: number, matches: (number: number) => boolean) =>
    Array.from({ length: count }, (_, i) => i + 1)
      .filter(matches)
      .map(room)

  it('lists the Rooms of participants and of general access, each once', async () => {
    const every = rooms / 60
    assert.deepEqual(
      await ids('viewer'),
      numbers(rooms, number => number % every === 0),
    )
    await sql(
      `update rooms set general_access = 'workspace', general_access_level = 'view' where right(id, 2) in ('00', '01')`,
    )
    await sql(
      `update rooms set general_access = 'business', general_access_level = 'view', business_id = $1 where right(id, 2) = '50'`,
      [businesses.open],
    )
    const open = (number: number) => [0, 1, 50].includes(number % 100)
    assert.deepEqual(await ids('viewer', { limit: 7 }), numbers(rooms, open))
    assert.deepEqual(
      await ids('viewer', { business_id: businesses.open }),
      numbers(rooms, number => number % 100 === 50),
    )
    assert.deepEqual(
      await ids('guest'),
      numbers(rooms, number => number % every === 0),
    )
    assert.deepEqual(await ids('guest', { business_id: businesses.open }), [])
    assert.equal((await ids('owner')).length, rooms)
  })

  it('counts only the sub-rooms that the caller can see', async () => {
    const parent = room(rooms)
    const subs = numbers(rooms, number => number >= 1002 && number % 10 === 2 && number < 3002)
    await sql('update rooms set parent_id = $1 where id = any ($2)', [parent, subs])
    const count = async (name: keyof RoomWorld['people']) =>
      (await client(name).getRoom({ room_id: parent })).room.sub_room_count
    assert.deepEqual(await Promise.all([count('owner'), count('viewer'), count('guest')]), [200, 0, 0])
    for (const room_id of subs.slice(0, 3)) await world.invite(room_id, world.people.viewer, 'view')
    await world.invite(subs[0] as string, world.people.guest, 'view')
    assert.deepEqual(await Promise.all([count('owner'), count('viewer'), count('guest')]), [200, 3, 1])
    assert.deepEqual(await ids('viewer', { parent_room_id: parent }), subs.slice(0, 3))
    assert.deepEqual(await ids('owner', { parent_room_id: parent }), subs)
    await sql('update rooms set parent_id = null where parent_id = $1', [parent])
  })

  it('ends a page after a number of Rooms that a filter excluded, with the cursor at a visible one', async () => {
    await sql('update rooms set title = $1 where id = $2', ['The needle', room(5500)])
    const [first, second] = await pages('owner', { title: 'needle' })
    assert.deepEqual(
      [first, second],
      [
        { ids: [], cursor: room(5000) },
        { ids: [room(5500)], cursor: null },
      ],
    )
  })

  it('does not reveal hidden Rooms by a page or a cursor', async () => {
    await sql(
      `update rooms set general_access = 'workspace', general_access_level = 'view' where general_access = 'invited_only'`,
    )
    const asked = [
      {},
      { title: 'needle' },
      { title: '999' },
      { status: 'archived' },
      { business_id: businesses.open },
    ]
    const whatTheySee = () => Promise.all(asked.map(filter => pages('viewer', filter)))
    const quiet = await whatTheySee()
    // Hidden Rooms, with general access by a Business that the Workspace cannot see, between all others and at the end.
    await sql(
      `insert into rooms (workspace_id, id, title, business_id, general_access, general_access_level, created_by, created_at, updated_at)
       select workspace_id, left(id, 29) || letter, 'The needle 999', $1, 'business', 'view', created_by, now(), now()
       from rooms, unnest(array['A', 'B', 'C', 'D']) letter where right(id, 1) = '0'`,
      [businesses.hidden],
    )
    await sql(
      `insert into rooms (workspace_id, id, title, business_id, general_access, general_access_level, created_by, created_at, updated_at)
       select workspace_id, 'rom_1' || lpad(i::text, 25, '0'), 'The needle 999', $1, 'business', 'view', created_by, now(), now()
       from rooms, generate_series(1, 12000) i where id = $2`,
      [businesses.hidden, room(1)],
    )
    const busy = await whatTheySee()
    for (const [i, filter] of asked.entries()) assert.deepEqual(busy[i], quiet[i], JSON.stringify(filter))
    assert.deepEqual(await ids('viewer', { business_id: businesses.hidden }), [])
  })

  async function pages(name: keyof RoomWorld['people'], filter: object) {
    const found: { ids: string[]; cursor: string | null }[] = []
    for (let cursor: string | undefined; ;) {
      const { data, page } = await client(name).listRooms({ ...filter, cursor, limit: 100 })
      found.push({ ids: data.map(one => one.room_id), cursor: page.cursor })
      assert.equal(page.has_more, page.cursor !== null)
      if (page.cursor === null) return found
      cursor = page.cursor
    }
  }
})
