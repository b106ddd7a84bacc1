import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { explainedReader } from '../../../../bench/reads/explained-reader.ts'
import { fillWithRooms } from '../../../../bench/rooms/room-world.ts'
import { connectionConfig } from '../../src/database/connections/connection.ts'
import { goalsPage, type GoalFilter } from '../../src/goals/goal-page-store.ts'
import { addBusinesses } from '../harness/businesses.ts'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { insertGoals } from './many-goals.ts'
import { superuserPool } from '../harness/postgres/superuser-pool.ts'

const goals = 100_000
const rooms = 2000
const readers = ['owner', 'member of 26', 'guest of 3'] as const

const anything: GoalFilter = {
  business_id: undefined,
  room_id: undefined,
  status: undefined,
  accountable_user_id: undefined,
  due_before: undefined,
}

/** A filter for each reader, and the most buffers that a page of 20 may read. */
const questions: Record<
  string,
  [filter: (reader: string, business: string) => Partial<GoalFilter>, most: number]
> = {
  'the list of Goals': [() => ({}), 2200],
  'those that are active': [() => ({ status: 'active' }), 2000],
  'those for which the reader answers': [reader => ({ accountable_user_id: reader }), 800],
  'those of them that are active': [reader => ({ accountable_user_id: reader, status: 'active' }), 2000],
  'those of a Room': [() => ({ room_id: `rom_0${String(rooms).padStart(25, '0')}` }), 800],
  'those of a Business': [(_, business_id) => ({ business_id }), 6000],
}

describe(`a page of ${goals} Goals reads as much as it takes`, () => {
  let service: TestService
  let people: Record<(typeof readers)[number], Person>
  let workspace_id: string
  let business: string

  before(async () => {
    service = await startTestService()
    const [owner, member, guest] = ['Olivia', 'Mia', 'Gus'].map(name => service.person(name)) as [
      Person,
      Person,
      Person,
    ]
    people = { owner, 'member of 26': member, 'guest of 3': guest }
    await guest.client.createWorkspace({ name: 'Their own' })
    const names = Array.from({ length: 50 }, (_, i) => ({ name: `Business ${i}` }))
    const businesses = await addBusinesses(service, names)
    business = String(businesses[7])
    const others = await service.sql<{ id: string }>(
      `insert into users (id, issuer, subject)
       select gen_random_uuid(), 'elsewhere', i::text from generate_series(1, 97) i returning id`,
    )
    workspace_id = await service.workspace('Of many Goals', owner, { member })
    const pool = superuserPool(service.testDatabase.address)
    await fillWithRooms(pool, workspace_id, { rooms }, [
      { user_id: owner.user_id, as_guest: false, rooms },
      { user_id: member.user_id, as_guest: false, rooms: 26 },
      { user_id: guest.user_id, as_guest: true, rooms: 3 },
    ])
    await pool.end()
    await insertGoals(service, workspace_id, {
      goals,
      rooms,
      created_by: owner.user_id,
      accountable: [owner.user_id, ...others.map(one => one.id)],
      businesses,
    })
    // Whoever answers for a Goal can open its Room.
    for (const { user_id } of [member, guest])
      await service.sql(
        `update goals set accountable_user_id = $2 where workspace_id = $1 and room_id in (
           select room_id from room_participants where workspace_id = $1 and user_id = $2)`,
        [workspace_id, user_id],
      )
    await service.sql('analyze')
  })
  after(() => service.close())

  /** The buffers that a page takes on the service's own connections. */
  async function taken(filter: GoalFilter, name: (typeof readers)[number], plans: string) {
    const { user_id } = people[name]
    const is_member = name !== 'guest of 3'
    const scope = { 'svc.workspace_id': workspace_id, 'svc.user_id': user_id }
    const client = new pg.Client(
      connectionConfig(service.testDatabase.address, 'svc_reader', { plan_cache_mode: plans, ...scope }),
    )
    await client.connect()
    try {
      const { reader, taken } = explainedReader(client)
      const viewer = { workspace_id, user_id, is_member, reads_businesses: is_member, reads_lists: is_member }
      const { rows } = await goalsPage(reader, viewer, filter, { after: '', limit: 20 })
      return { rows: rows.length, taken: taken.map(one => one.buffers) }
    } finally {
      await client.end()
    }
  }

  for (const plans of ['force_generic_plan', 'force_custom_plan'])
    for (const [what, [filterOf, most]] of Object.entries(questions))
      it(`${what}: ${plans}`, async () => {
        for (const name of readers) {
          const filter = { ...anything, ...filterOf(people[name].user_id, business) }
          const found = await taken(filter, name, plans)
          // No Goal of that Business is in a Room of the guest.
          assert.equal(found.rows, name === 'guest of 3' && filter.business_id ? 0 : 20, name)
          const buffers = found.taken.reduce((sum, one) => sum + one, 0)
          assert.ok(buffers <= most, `${name}: ${found.taken.join(' + ')} buffers`)
        }
      })
})
