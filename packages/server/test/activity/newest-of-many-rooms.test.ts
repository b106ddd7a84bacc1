import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { fillWithRooms } from '../../../../bench/rooms/room-world.ts'
import { proofDraws, proofRuns } from '../harness/proof.ts'
import type { Person } from '../harness/service.ts'
import { startActivity, type Activity } from './activity-fixture.ts'
import { superuserPool } from '../harness/postgres/superuser-pool.ts'

/** Mia is in four of five Rooms, Gus in three; each Room has the same number of events. */
const many = { rooms: 1600, events: 4 }

describe('the newest events of many Rooms', () => {
  let activity: Activity
  let first: string
  before(async () => {
    activity = await startActivity()
    const { service, workspace_id, olivia, mia, gus } = activity
    const pool = superuserPool(service.testDatabase.address)
    const opened = await activity.room(mia)
    first = await activity.append({ room_id: opened, actor: mia })
    await fillWithRooms(pool, workspace_id, many, [
      { user_id: olivia.user_id, as_guest: false, rooms: many.rooms },
      { user_id: mia.user_id, as_guest: false, rooms: (many.rooms / 5) * 4 },
      { user_id: gus.user_id, as_guest: true, rooms: 3 },
    ])
    await pool.end()
  })
  after(() => activity.close())

  /** The events of the Rooms of a participant, newest first. */
  const eventsOf = async (person: Person) =>
    (
      await activity.service.sql<{ id: string }>(
        `select e.id from events e join room_participants p using (workspace_id, room_id)
         where workspace_id = $1 and p.user_id = $2 and e.feed = 'activity' order by position desc`,
        [activity.workspace_id, person.user_id],
      )
    ).map(row => row.id)

  /** The pages of a list, with the end of each. */
  async function pages(person: Person, input: Parameters<Activity['us']['listEvents']>[0], most = 100) {
    const found: { ids: string[]; next_cursor: string | null }[] = []
    for (let after: string | undefined; found.length < most;) {
      const { data, next_cursor } = await activity.as(person).listEvents({ ...input, after })
      found.push({ ids: data.map(event => event.id), next_cursor })
      if (next_cursor === null) break
      after = next_cursor
    }
    return found
  }

  const watching = () => proofDraws([activity.olivia, activity.mia, activity.gus])
  const whatTheySee = () =>
    Promise.all(
      watching().map(async person => [
        await pages(person, { limit: 20 }, 3),
        await pages(person, { limit: 100 }, 3),
        await pages(person, { limit: 20, types: ['room.created'] }),
        await pages(person, { limit: 20, actor: 'me', since: '2001-01-01T00:00:00Z' }, 3),
      ]),
    )

  it('are those of exactly the visible Rooms, in order, over all pages', async () => {
    const { olivia, mia, gus } = activity
    for (const person of [...proofDraws([olivia, mia]), gus]) {
      const expected = await eventsOf(person)
      const found = (await pages(person, { limit: 100 }, 200)).flatMap(page => page.ids)
      assert.deepEqual(found, expected, person.name)
    }
  })

  it('end a page after many excluded ones, and are found on the next', async () => {
    const { mia } = activity
    const found = await pages(mia, { actor: 'me' })
    assert.deepEqual(
      found.map(page => page.ids.length),
      [0, 2],
    )
    assert.equal(found[1]?.ids[0], first)
    // The page ended at a visible event, the 5,000th.
    const [at] = await activity.service.sql<{ id: string }>(
      'select id from events where workspace_id = $1 and position = $2',
      [activity.workspace_id, activity.positionOf(found[0]?.next_cursor ?? null)],
    )
    assert.equal(at?.id, (await eventsOf(mia))[4999])
  })

  it('are found behind those of one busy Room', async () => {
    const { gus } = activity
    const [room] = await activity.service.sql<{ room_id: string }>(
      'select room_id from room_participants where user_id = $1 order by room_id limit 1',
      [gus.user_id],
    )
    const rare = await activity.append({ room_id: room?.room_id ?? '', type: 'room.restored' })
    await happensIn(room?.room_id ?? '', 5500)
    const found = await pages(gus, { types: ['room.restored'] })
    assert.deepEqual(
      found.map(page => page.ids),
      [[], [rare]],
    )
    const newest = (await pages(gus, { limit: 100 }, proofRuns({ full: 100, short: 10 }))).flatMap(
      page => page.ids,
    )
    assert.ok(newest.length >= 1000)
    assert.deepEqual(newest, (await eventsOf(gus)).slice(0, newest.length))
  })

  it('have the same pages and cursors, however many hidden events there are', async () => {
    const hidden = newId('rom')
    await activity.service.sql(
      `insert into rooms (workspace_id, id, title, general_access, created_by, created_at, updated_at)
       values ($1, $2, 'Of nobody here', 'invited_only', $3, now(), now())`,
      [activity.workspace_id, hidden, activity.olivia.user_id],
    )
    const { olivia, mia } = activity
    const quiet = await whatTheySee()
    const first = await pages(olivia, { limit: 20 }, 1)
    // First few enough to be scanned with the others, then too many.
    for (const count of [1000, 21_000]) {
      await happensIn(hidden, count)
      const busy = await whatTheySee()
      for (const [i, person] of watching().entries()) assert.deepEqual(busy[i], quiet[i], person.name)
    }
    const told = await activity.append({ room_id: await activity.room(mia), actor: mia })
    assert.equal((await activity.as(mia).listEvents({ limit: 1 })).data[0]?.id, told)
    assert.deepEqual((await pages(olivia, { limit: 20 }, 1))[0]?.ids, first[0]?.ids)
  })

  const happensIn = (room_id: string, count: number) =>
    activity.service.sql(
      `with counter as (
         update feed_positions set last_position = last_position + $3::integer where workspace_id = $1 returning last_position - $3 as before
       )
       insert into events (workspace_id, position, id, type, feed, occurred_at, actor, subject, room_id, command_id, ordinal)
       select $1, before + n, 'evt_' || lpad((before + n)::text, 26, '0'), 'room.archived', 'activity', now(),
         '{"type": "system", "user_id": null, "name": null, "via": null}', jsonb_build_object('type', 'room', 'id', $2::text, 'name', null),
         $2, gen_random_uuid(), 0
       from counter, generate_series(1, $3::integer) n`,
      [activity.workspace_id, room_id, count],
    )
})
