import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import pg from 'pg'
import { connectionConfig } from '../../../src/database/connections/connection.ts'
import { valuesInOrder, type Values } from '../../../src/database/parameters.ts'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'
import { statements } from '../all-statements.ts'
import { beginPeriod } from './periods.ts'

const periods = 24
const eventsEach = 100

/** Reads of a feed of two years; the figures of docs/guides/scaling.md are those that this test prints. */
describe('with the partitions of two years', () => {
  let service: TestService
  let olivia: Person
  let workspace_id: string
  let room_id: string
  let explaining: pg.Client
  before(async () => {
    service = await startTestService()
    olivia = service.person('Olivia')
    workspace_id = await service.workspace('Harbor', olivia)
    room_id = (await olivia.client.createRoom({ title: 'A Room' }, { workspace_id })).room.room_id
    for (let number = 2; number <= periods; number++) await beginPeriod(service)
    await service.sql(
      `insert into events (workspace_id, position, id, type, feed, occurred_at, actor, subject, room_id, command_id, ordinal)
       select workspace_id, ((p.number - 1)::bigint << 30) + 100 + i,
         'evt_' || lpad((p.number * 1000 + i)::text, 26, '0'), type, feed, occurred_at, actor, subject, room_id, gen_random_uuid(), 0
       from (select * from events where room_id = $1 limit 1) e, history_periods p, generate_series(1, $2::integer) i`,
      [room_id, eventsEach],
    )
    await service.sql(
      'update feed_positions set last_position = (select max(position) from events where workspace_id = $1) where workspace_id = $1',
      [workspace_id],
    )
    await service.sql('vacuum analyze events')
    explaining = new pg.Client(
      connectionConfig(service.testDatabase.address, 'svc_reader', { plan_cache_mode: 'force_generic_plan' }),
    )
    await explaining.connect()
    await explaining.query(
      `select set_config('svc.workspace_id', $1, false), set_config('svc.user_id', $2, false)`,
      [workspace_id, olivia.user_id],
    )
  })
  after(async () => {
    await explaining.end()
    await service.close()
  })

  /** The position of an event of a period. */
  const at = (period: number, i: number) => (period - 1) * 2 ** 30 + 100 + i
  const viewer = () => ({
    workspace_id,
    viewer_id: olivia.user_id,
    is_member: true,
    reads_businesses: true,
  })
  const unfiltered = { actor_id: null, about_id: null, types: null, since: null, before: null }

  const reads: Record<string, { values: () => Values; events: string[]; buffers: number }> = {
    changes_recent: {
      values: () => ({ ...viewer(), types: null, after: at(24, 95), limit: 21, depth: 1000 }),
      events: ['events_24'],
      buffers: 60,
    },
    feed_batch: {
      values: () => ({ workspace_id, from: at(24, 95), to: at(24, 495) }),
      events: ['events_24'],
      buffers: 60,
    },
    events_tail: {
      values: () => ({
        ...viewer(),
        ...unfiltered,
        business_id: null,
        limit: 21,
        most_examined: 21,
        length: 50,
      }),
      events: ['events_24'],
      buffers: 120,
    },
    events_of_room: {
      values: () => ({
        ...viewer(),
        ...unfiltered,
        room_id,
        limit: 21,
        most_examined: 20_000,
        most_scanned: 20_000,
        most_rooms: null,
        deeper: null,
      }),
      events: ['events_24'],
      buffers: 120,
    },
    changes_of_room: {
      values: () => ({
        ...viewer(),
        room_id,
        types: null,
        after: at(22, 90),
        limit: 21,
        most_scanned: 20_000,
        width: 21,
      }),
      events: ['events_22', 'events_23'],
      buffers: 150,
    },
    event_visible: {
      values: () => ({ ...viewer(), event_id: `evt_${String(12 * 1000 + 5).padStart(26, '0')}` }),
      events: Array.from({ length: periods }, (_, i) => `events_${i + 1}`),
      buffers: 200,
    },
  }
  for (const [name, { values, events, buffers }] of Object.entries(reads))
    it(`${name} reads only the partitions that it needs`, async context => {
      const plan = await explained(context, name, values())
      const touched = new Set(relationsRead(plan).filter(table => table.startsWith('events_')))
      assert.deepEqual([...touched].sort(), events.toSorted())
      const read = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
      assert.ok(read <= buffers, `${read} buffers`)
    })

  it('a key is looked for with few buffers, and its receipt in one partition', async context => {
    const key = await explained(context, 'command_by_key', {
      scope_id: workspace_id,
      principal: 'user:somebody',
      idempotency_key: 'a-key-of-nobody',
    })
    const buffers = key['Shared Hit Blocks'] + key['Shared Read Blocks']
    assert.ok(buffers <= 2 * (periods + 1), `${buffers} buffers`)
    const receipt = await explained(context, 'receipt_resource', {
      workspace_id,
      command_id: workspace_id,
      period: 3,
    })
    assert.deepEqual(
      relationsRead(receipt).filter(table => table.startsWith('receipts_')),
      ['receipts_3'],
    )
  })

  it('all events are read, in order, page after page', async () => {
    const ids: string[] = []
    for (let cursor: string | undefined; ;) {
      const page = await olivia.client.listEventChanges({ cursor, limit: 100 }, { workspace_id })
      ids.push(...page.data.map(event => event.id))
      if (!page.has_more) break
      cursor = page.cursor ?? undefined
    }
    assert.equal(ids.length, 1 + periods * eventsEach)
    assert.equal(new Set(ids).size, ids.length)
    const newest: string[] = []
    for (let after: string | undefined; ;) {
      const page = await olivia.client.listEvents({ after, limit: 100 }, { workspace_id })
      newest.push(...page.data.map(event => event.id))
      if (page.next_cursor === null) break
      after = page.next_cursor
    }
    assert.deepEqual(newest, ids.toReversed())
  })

  async function explained(context: TestContext, name: string, values: Values): Promise<Plan> {
    const statement = statements.find(one => one.name === name)
    assert.ok(statement, name)
    // As the role that runs it.
    await explaining.query(`prepare ${name} as ${statement.text}`)
    const literals = valuesInOrder(statement, values).map(value =>
      typeof value === 'string' ? pg.escapeLiteral(value) : String(value),
    )
    const explain = `explain (analyze, buffers, timing off, format json) execute ${name}(${literals.join(', ')})`
    await explaining.query(explain)
    const { rows } = await explaining.query<{ 'QUERY PLAN': [Explained] }>(explain)
    await explaining.query(`deallocate ${name}`)
    const { Plan: plan, ...times } = (rows[0] as { 'QUERY PLAN': [Explained] })['QUERY PLAN'][0]
    const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    context.diagnostic(`${name}: ${buffers} buffers, ${times['Execution Time'].toFixed(2)} ms`)
    return plan
  }
})

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Loops': number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}
interface Explained {
  Plan: Plan
  'Execution Time': number
}

/** The tables that a plan has read when it ran. */
const relationsRead = (plan: Plan): string[] => [
  ...(plan['Relation Name'] !== undefined && plan['Actual Loops'] > 0 ? [plan['Relation Name']] : []),
  ...(plan.Plans ?? []).flatMap(relationsRead),
]
