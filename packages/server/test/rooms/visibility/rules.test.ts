import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import type { AccessLevel } from '@wbs/contract/scopes'
import { connectionConfig } from '../../../src/database/connections/connection.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { randomFrom } from '../../model/random.ts'
import {
  canRead,
  knows,
  levelIn,
  levelOnPlaced,
  levelOnRoomFile,
  type PlainRoom,
  type PlainViewer,
} from './plain-rules.ts'
import { randomWorld, writeWorld } from './plain-world.ts'

const seed = Number(process.env['RULES_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const worlds = 4

interface Case {
  world: ReturnType<typeof randomWorld>
  viewer: PlainViewer
  /** The Rooms of the Workspace of the viewer. */
  rooms: readonly PlainRoom[]
  /** What a query gives the viewer: its first four parameters are theirs, and row-level security shows their Workspace alone. */
  rows<Row extends pg.QueryResultRow>(text: string, more?: readonly unknown[]): Promise<Row[]>
}

describe(`the functions that say who sees what of a Room give what the plain rules do (RULES_SEED=${seed})`, () => {
  const random = randomFrom(seed)
  let testDatabase: TestDatabase
  let superuser: pg.Client
  before(async () => {
    testDatabase = await createTestDatabase()
    superuser = new pg.Client({ ...testDatabase.address, options: '-c search_path=svc,public' })
    await superuser.connect()
  })
  after(async () => {
    await superuser.end()
    await testDatabase.drop()
  })

  /** Checks each person in some random worlds, every second one as a guest. */
  async function inRandomWorlds(check: (one: Case) => Promise<void>): Promise<void> {
    for (let i = 0; i < worlds; i++) {
      const world = randomWorld(random)
      await writeWorld(superuser, world)
      for (const [number, user_id] of world.people.entries()) {
        const workspace_id = random.pick(world.workspaces)
        const viewer = {
          workspace_id,
          user_id,
          is_member: (i + number) % 2 === 0,
          reads_businesses: random.chance(0.7),
        }
        const rooms = world.rooms.filter(room => room.workspace_id === workspace_id)
        await asReader(viewer, client => check({ world, viewer, rooms, rows: rowsOf(client, viewer) }))
      }
    }
  }

  async function asReader(viewer: PlainViewer, work: (client: pg.Client) => Promise<void>): Promise<void> {
    const scope = { 'svc.workspace_id': viewer.workspace_id, 'svc.user_id': viewer.user_id }
    const client = new pg.Client(
      connectionConfig(testDatabase.address, 'svc_reader', {
        plan_cache_mode: 'force_generic_plan',
        ...scope,
      }),
    )
    await client.connect()
    try {
      await work(client)
    } finally {
      await client.end()
    }
  }

  const rowsOf =
    (client: pg.Client, { workspace_id, user_id, is_member, reads_businesses }: PlainViewer): Case['rows'] =>
    async <Row extends pg.QueryResultRow>(text: string, more: readonly unknown[] = []) => {
      const viewer = 'with viewer as (select $1::uuid, $2::uuid, $3::boolean, $4::boolean)'
      const values = [workspace_id, user_id, is_member, reads_businesses, ...more]
      return (await client.query<Row>(`${viewer} ${text}`, values)).rows
    }

  const businessOfRoom = {
    'the Business': 'r.business_id',
    'whether it can be read': 'exists (select from readable_business($1, $4, r.business_id))',
  }
  for (const [given, business] of Object.entries(businessOfRoom))
    it(`level_in_room, given ${given}`, async () => {
      const levels = new Set<AccessLevel | null>()
      await inRandomWorlds(async ({ world, viewer, rooms, rows }) => {
        const found = await rows<{ id: string; access_level: AccessLevel | null }>(
          `select r.id, v.access_level
           from (select r.*, ${business} as business from rooms r where r.workspace_id = $1 offset 0) r
           cross join lateral level_in_room($1, $2, $3, $4, r.id, r.general_access, r.general_access_level, r.business)
             as v (access_level)`,
        )
        const expected = new Map(rooms.map(room => [room.id, levelIn(world, viewer, room)]))
        assert.deepEqual(new Map(found.map(({ id, access_level }) => [id, access_level])), expected)
        for (const level of expected.values()) levels.add(level)
      })
      assert.equal(levels.size, 4)
    })

  it('level_in_room is the higher level of the two that the feed and the explanation of access ask for alone', async () => {
    await inRandomWorlds(async ({ rows }) => {
      const differing = await rows(
        `select r.id from rooms r
         cross join lateral level_in_room($1, $2, $3, $4, r.id, r.general_access, r.general_access_level, r.business_id)
           as v (access_level)
         where r.workspace_id = $1 and v.access_level is distinct from greatest(
           (select p.access_level from participation_in_room($1, r.id, $2) p),
           general_level($3, $4, r.general_access, r.general_access_level,
             exists (select from readable_business($1, $4, r.business_id))))`,
      )
      assert.deepEqual(differing, [], 'change general_level or participation_in_room, not level_in_room')
    })
  })

  it('rooms_maybe_seen_by: each Room that is seen, by source and id', async () => {
    await inRandomWorlds(async ({ world, viewer, rooms, rows }) => {
      const candidates = (from: string, most: number | null) =>
        rows<{ source: string; id: string }>(
          'select source, id from rooms_maybe_seen_by($1, $2, $3, $4, $5, $6)',
          [from, most],
        )
      const all = await candidates('', null)
      const ids = new Set(all.map(({ id }) => id))
      const missed = rooms.filter(room => levelIn(world, viewer, room) !== null && !ids.has(room.id))
      assert.deepEqual(missed, [])
      for (const source of new Set(all.map(one => one.source))) {
        const idsOf = (some: typeof all) => some.filter(one => one.source === source).map(({ id }) => id)
        const whole = idsOf(all)
        assert.deepEqual(whole, whole.toSorted())
        assert.deepEqual(idsOf(await candidates(whole[0] ?? '', 2)), whole.slice(1, 3))
      }
    })
  })

  it('readable_business', async () => {
    await inRandomWorlds(async ({ world, viewer, rows }) => {
      const readable = await rows<{ id: string }>(
        'select id from unnest($5::text[]) as id where exists (select from readable_business($1, $4, id))',
        [world.businesses],
      )
      assert.deepEqual(
        readable.map(({ id }) => id),
        world.businesses.filter(id => canRead(world, viewer, id)),
      )
    })
  })

  it('is_known_person and membership_of', async () => {
    await inRandomWorlds(async ({ world, viewer, rows }) => {
      const people = [null, ...world.people]
      const known = await rows<{ place: number }>(
        `select place::integer from unnest($5::uuid[]) with ordinality as named (id, place)
         where is_known_person($2, named.id, exists (select from membership_of($1, named.id)))`,
        [people],
      )
      assert.deepEqual(
        known.map(({ place }) => people[place - 1]),
        people.filter(person => knows(world, viewer, person)),
      )
    })
  })

  it('level_on_placed', async () => {
    let hidden = 0
    await inRandomWorlds(async ({ world, viewer, rooms, rows }) => {
      for (const room of [null, ...rooms, ...rooms]) {
        const people = [null, ...world.people].filter(() => random.chance(0.3))
        const [found] = await rows<{ access_level: AccessLevel | null }>(
          'select access_level from level_on_placed($1, $2, $3, $4, $5, $6) as v (access_level)',
          [room && room.id, people],
        )
        const expected = levelOnPlaced(world, viewer, room, people)
        assert.equal(found?.access_level, expected)
        if (expected === null && levelOnPlaced(world, viewer, room, []) !== null) hidden++
      }
    })
    assert.ok(hidden > 0)
  })
  it('level_on_room_file', async () => {
    let byPermission = 0
    await inRandomWorlds(async ({ world, viewer, rooms, rows }) => {
      const found = await rows<{ id: string; access_level: AccessLevel | null }>(
        `select rf.id, there.access_level
         from (select rf.*, r.guest_files, r.participant_visibility, r.general_access, r.general_access_level, r.business_id
               from room_files rf join rooms r on r.workspace_id = $1 and r.id = rf.room_id where rf.workspace_id = $1 offset 0) rf
         cross join lateral level_in_room($1, $2, $3, $4, rf.room_id, rf.general_access, rf.general_access_level, rf.business_id)
           as in_room (access_level)
         cross join lateral level_on_room_file($1, $2, $3, in_room.access_level,
           keeps_guest_files(rf.guest_files, rf.participant_visibility), rf.id, rf.access_mode, rf.guest_id, rf.status)
           as there (access_level)`,
      )
      const expected = rooms.flatMap(room =>
        world.files
          .filter(file => file.workspace_id === room.workspace_id && file.room_id === room.id)
          .map(file => [file.id, levelOnRoomFile(world, viewer, room, file)] as const),
      )
      assert.deepEqual(new Map(found.map(({ id, access_level }) => [id, access_level])), new Map(expected))
      const without = { ...world, permissions: [] }
      for (const room of rooms)
        for (const file of world.files.filter(
          one => one.workspace_id === room.workspace_id && one.room_id === room.id,
        ))
          if (levelOnRoomFile(world, viewer, room, file) !== levelOnRoomFile(without, viewer, room, file))
            byPermission++
    })
    assert.ok(byPermission > 0)
  })
})
