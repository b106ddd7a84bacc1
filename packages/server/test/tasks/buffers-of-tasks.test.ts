import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { tasksPage, type TaskFilter } from '../../src/tasks/task-page-store.ts'
import { createExplainedReads, type ExplainedReads } from '../harness/explained-reads.ts'
import { makeRoomWorld, type RoomWorld } from '../rooms/room-fixture.ts'
import { fillWithTasks, maskedRoom } from './many-tasks.ts'
import type { PersonName } from './task-fixture.ts'

const tasks = 100_000
/** The most buffers that a page of 20 Tasks may read. The Tasks alone have many times as many. */
const most = 5000

const noFilter: TaskFilter = {
  room_id: undefined,
  business_id: undefined,
  goal_id: undefined,
  assignee: undefined,
  status: undefined,
  kind: undefined,
  priority: undefined,
  due_before: undefined,
  overdue: undefined,
}

describe(`a page of ${tasks} Tasks reads as much as it takes`, () => {
  let world: RoomWorld
  let reads: ExplainedReads
  let ids: { business_id: string; goal_id: string }
  before(async () => {
    world = await makeRoomWorld()
    reads = createExplainedReads(world.service.testDatabase.address)
    ids = await fillWithTasks(world, tasks)
  })
  after(async () => {
    await reads.close()
    await world.close()
  })

  /** How many Tasks the page of a person has, and how many buffers it takes on the service's own connections. */
  async function taken(name: PersonName, filter: Partial<TaskFilter>) {
    const { workspace_id, people } = world
    const { user_id } = people[name]
    const is_member = name !== 'guest' && name !== 'rival'
    const viewer = { workspace_id, user_id, is_member, reads_businesses: is_member, reads_lists: is_member }
    const scope = {
      plan_cache_mode: 'force_generic_plan',
      'svc.workspace_id': workspace_id,
      'svc.user_id': user_id,
    }
    const { answer, ...read } = await reads.run(scope, reader =>
      tasksPage(reader, viewer, { ...noFilter, ...filter }, { after: '', limit: 20 }),
    )
    return { rows: answer.rows.length, ...read }
  }

  const filters: Record<string, (me: string) => Partial<TaskFilter>> = {
    all: () => ({}),
    mine: me => ({ assignee: me }),
    'mine, open': me => ({ assignee: me, status: 'open' }),
    'mine, overdue': me => ({ assignee: me, overdue: true }),
    'mine in a Room': me => ({ assignee: me, room_id: maskedRoom }),
    'of somebody else': () => ({ assignee: world.people.admin.user_id }),
    'of a Room': () => ({ room_id: maskedRoom }),
    'of a Room, open': () => ({ room_id: maskedRoom, status: 'open' }),
    'of a Goal': () => ({ goal_id: ids.goal_id }),
    'of a Business': () => ({ business_id: ids.business_id }),
    open: () => ({ status: 'open' }),
    overdue: () => ({ overdue: true }),
  }
  /** Lists in which somebody sees nothing, or less than a page. */
  const short: Record<string, readonly PersonName[]> = {
    'mine, open': ['member'],
    'mine, overdue': ['member', 'guest', 'rival'],
    'mine in a Room': ['owner', 'member'],
    'of somebody else': ['viewer', 'rival'],
    'of a Goal': ['viewer', 'guest', 'rival'],
    'of a Business': ['viewer', 'rival'],
  }

  /** Without statistics, PostgreSQL does not find their index in a Room, and a page is bounded only by how many it may examine. */
  const needStatistics = ['of a Goal', 'of a Business']

  const eachList = (statistics: string, without: readonly string[]) => {
    for (const [what, filterOf] of Object.entries(filters).filter(([what]) => !without.includes(what)))
      it(`${what}: ${statistics}`, async () => {
        for (const name of ['owner', 'member', 'viewer', 'guest', 'rival'] as const) {
          const filter = filterOf(world.people[name].user_id)
          // The viewer takes part in no Room, so a list of its Tasks is refused before it is read.
          if (name === 'viewer' && filter.room_id !== undefined) continue
          const read = await taken(name, filter)
          const told = `${name}: ${JSON.stringify(read)}`
          assert.ok(read.buffers <= most, told)
          assert.equal(read.rows < 20, short[what]?.includes(name) ?? false, told)
        }
      })
  }

  eachList('without statistics', needStatistics)
  describe('with statistics', () => {
    before(async () => {
      await reads.close()
      await world.service.sql('vacuum (analyze)')
    })
    eachList('with statistics', [])
  })
})
