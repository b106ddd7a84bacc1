import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ExplainedRead } from '../../../../bench/reads/explained-reader.ts'
import { fillWithRooms } from '../../../../bench/rooms/room-world.ts'
import { eventsPage, newestVisiblePosition } from '../../src/activity/event-store.ts'
import type { Reader } from '../../src/database/statement.ts'
import { roomsPage } from '../../src/rooms/room-page-store.ts'
import type { Viewer } from '../../src/rooms/visibility/room-visibility-store.ts'
import { addBusiness } from '../harness/businesses.ts'
import { createExplainedReads, type ExplainedReads } from '../harness/explained-reads.ts'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { superuserPool } from '../harness/postgres/superuser-pool.ts'

const sizes = [1000, 10_000] as const
/** People who see all, some and few of the Rooms, as long as these are invited_only. */
const readers = ['owner', 'member of 26', 'guest of 3'] as const
/** The most buffers that a page of 20 Rooms or events may read. The Rooms of the larger Workspace alone have four times as many. */
const most = 2500

const anything = { business_id: undefined, parent_room_id: undefined, status: undefined, title: undefined }
const allRooms = { room_id: undefined, business_id: undefined }
const anyEvent = { actor: null, about: null, types: null, since: null }

/** A read, which returns whether it found something. */
type Question = (reader: Reader, viewer: Viewer, business_id: string) => Promise<unknown>
const questions: Record<string, Question> = {
  'the list of Rooms': async (reader, viewer) =>
    (await roomsPage(reader, viewer, anything, { after: '', limit: 20 })).rooms.length,
  'the Rooms of a Business': (reader, viewer, business_id) =>
    roomsPage(reader, viewer, { ...anything, business_id }, { after: '', limit: 20 }),
  'the newest events': async (reader, viewer) =>
    (await eventsPage(reader, viewer, allRooms, anyEvent, { before: null, limit: 20 })).events.length,
  'the newest events of a Business': (reader, viewer, business_id) =>
    eventsPage(reader, viewer, { ...allRooms, business_id }, anyEvent, { before: null, limit: 20 }),
  'where a stream begins': (reader, viewer) => newestVisiblePosition(reader, viewer, undefined, '1000000'),
}

describe('a list reads as much as its page takes, however many Rooms the Workspace has', () => {
  let service: TestService
  let reads: ExplainedReads
  let people: Record<(typeof readers)[number], Person>
  let business_id: string
  const workspaces = new Map<number, string>()

  before(async () => {
    service = await startTestService()
    reads = createExplainedReads(service.testDatabase.address)
    const [owner, member, guest] = ['Olivia', 'Mia', 'Gus'].map(name => service.person(name)) as [
      Person,
      Person,
      Person,
    ]
    people = { owner, 'member of 26': member, 'guest of 3': guest }
    await guest.client.createWorkspace({ name: 'Their own' })
    business_id = await addBusiness(service, { name: 'Glacier', publication_status: 'published' })
    // Autovacuum is off, so that there are statistics only after ANALYZE.
    for (const table of ['rooms', 'room_participants', 'room_attachments', 'events_1', 'memberships'])
      await service.sql(`alter table ${table} set (autovacuum_enabled = off)`)
    await service.sql(
      `insert into users (id, issuer, subject) select gen_random_uuid(), 'elsewhere', i::text from generate_series(1, 1000) i`,
    )
    const pool = superuserPool(service.testDatabase.address)
    for (const rooms of sizes) {
      const workspace_id = await service.workspace(`Of ${rooms} Rooms`, owner, { member })
      workspaces.set(rooms, workspace_id)
      await fillWithRooms(pool, workspace_id, { rooms, events: 2 }, [
        { user_id: owner.user_id, as_guest: false, rooms },
        { user_id: member.user_id, as_guest: false, rooms: 26 },
        { user_id: guest.user_id, as_guest: true, rooms: 3 },
      ])
      // The members of a team are not read either.
      await pool.query(
        `insert into memberships (id, workspace_id, user_id, role, status, joined_at, created_at)
         select gen_random_uuid(), $1, id, 'viewer', 'active', now(), now() from users where issuer = 'elsewhere' limit $2`,
        [workspace_id, rooms / 20],
      )
    }
    await pool.end()
  })
  after(async () => {
    await reads.close()
    await service.close()
  })
  const analyze = async () => {
    await reads.close()
    await service.sql('analyze')
  }

  /** The buffers that a read of a person takes on the service's own connections. */
  function taken(ask: Question, rooms: number, name: (typeof readers)[number], plans: string) {
    const workspace_id = workspaces.get(rooms) ?? ''
    const { user_id } = people[name]
    const is_member = name !== 'guest of 3'
    const viewer = { workspace_id, user_id, is_member, reads_businesses: is_member, reads_lists: is_member }
    const scope = { plan_cache_mode: plans, 'svc.workspace_id': workspace_id, 'svc.user_id': user_id }
    return reads.run(scope, reader => ask(reader, viewer, business_id))
  }

  async function assertBounded(ask: Question, name: (typeof readers)[number], plans: string) {
    const [small, large] = await Promise.all(sizes.map(rooms => taken(ask, rooms, name, plans)))
    assert.ok(small && large)
    assert.ok(large.taken.length > 0)
    assert.notEqual(large.answer, 0)
    const told = `${name}: ${small.buffers} of ${sizes[0]} Rooms, ${large.buffers} of ${sizes[1]}, ${shown(large.taken)}`
    assert.ok(large.buffers <= most, told)
    assert.ok(large.buffers <= small.buffers * 1.5 + 200, told)
  }
  const shown = (all: readonly ExplainedRead[]) =>
    all.map(one => `${one.statement}: ${one.buffers}`).join(', ')

  const eachWay = (statistics: string) => {
    for (const plans of ['force_generic_plan', 'force_custom_plan'])
      for (const [what, ask] of Object.entries(questions))
        it(`${what}: ${statistics}, ${plans}`, async () => {
          for (const name of readers) await assertBounded(ask, name, plans)
        })
  }

  describe('in Rooms for those who are invited', () => {
    eachWay('without statistics')
    describe('with statistics', () => {
      before(analyze)
      eachWay('with statistics')
    })
  })

  describe('in Rooms of which six of ten are open to all or by their Business', () => {
    before(async () => {
      await reads.close()
      await service.sql(
        `update rooms set general_access = 'workspace', general_access_level = 'view' where right(id, 1) in ('1', '3', '5', '6')`,
      )
      await service.sql(
        `update rooms set general_access = 'business', general_access_level = 'view', business_id = $1 where right(id, 1) in ('2', '4')`,
        [business_id],
      )
    })
    eachWay('with statistics from before')
    describe('with statistics', () => {
      before(analyze)
      eachWay('with statistics')
    })
  })
})
