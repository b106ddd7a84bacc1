import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { explainedReader } from '../../../../../bench/reads/explained-reader.ts'
import { connectionConfig } from '../../../src/database/connections/connection.ts'
import { valuesInOrder, type Values } from '../../../src/database/parameters.ts'
import type { Reader, Statement } from '../../../src/database/statement.ts'
import type { EntryFilter } from '../../../src/lists/entries/entry-filter.ts'
import { pageOfEntries } from '../../../src/lists/entries/entry-page-store.ts'
import type { FilteredMembers } from '../../../src/lists/entries/filtered-members.ts'
import { mostSorted, sortedEntries } from '../../../src/lists/entries/sorted-page-store.ts'
import { makeListWorld, type ListWorld } from '../list-fixture.ts'
import { makeTypedList, type TypedList } from './entry-fixture.ts'

const count = 20_000
const idOf = (n: number) => `biz_${String(n).padStart(26, '0')}`

describe(`a page of a List with ${count} members and as many values of three columns`, () => {
  let world: ListWorld
  let list: TypedList
  let client: pg.Client

  before(async () => {
    world = await makeListWorld()
    list = await makeTypedList(world, { kind: 'all' })
    await fill()
    const scope = {
      'svc.workspace_id': world.workspace_id,
      'svc.user_id': world.people.member.user_id,
      plan_cache_mode: 'force_custom_plan',
    }
    client = new pg.Client(connectionConfig(world.service.testDatabase.address, 'svc_reader', scope))
    await client.connect()
  })
  after(async () => {
    await client.end()
    await world.close()
  })

  /** Every hundredth Business is a draft that the Workspace has linked; the last is a hidden draft. */
  async function fill() {
    const { service, workspace_id, people } = world
    await service.sql(
      `insert into businesses (id, name, name_folded, publication_status, status, country_code, revision, created_at, updated_at, published_at)
       select 'biz_' || lpad(n::text, 26, '0'), 'Harbor ' || n, 'harbor ' || n, case when n % 100 = 0 then 'draft' else 'published' end,
         'active', 'US', 1, now(), now(), case when n % 100 > 0 then now() end
       from generate_series(1, ${count}) n`,
    )
    await service.sql(`select project_businesses(array_agg(id)) from businesses where id like 'biz_0000%'`)
    await service.sql(
      `insert into workspace_businesses (workspace_id, business_id, access_level, linked_by)
       select $1, id, 'view', $2 from businesses where publication_status = 'draft' and id < $3`,
      [workspace_id, people.owner.user_id, idOf(count)],
    )
    await service.sql(
      `insert into list_overrides (workspace_id, list_id, member_id, mode, set_by, set_at)
       select $1, $2, id, 'include', $3, now() from businesses where publication_status = 'draft'`,
      [workspace_id, list.list_id, people.owner.user_id],
    )
    for (const [column, sql] of [
      ['number', 'number_value) select $1, $2, id, $3, substr(id, 5)::integer % 1000'],
      ['text', `text_value, text_folded) select $1, $2, id, $3, 'Harbor', 'harbor'`],
      ['date', `date_value) select $1, $2, id, $3, date '2026-01-01'`],
    ] as const)
      await service.sql(
        `insert into list_values (workspace_id, list_id, member_id, column_id, ${sql} from businesses where id like 'biz_0000%'`,
        [workspace_id, list.list_id, list.columns[column]],
      )
    await service.sql('vacuum (analyze)')
  }

  const content = { column_ids: null, fields: [] }

  function membersOf(filter: EntryFilter, reads_businesses = true): FilteredMembers {
    const viewer = { workspace_id: world.workspace_id, reads_businesses }
    const { list_id } = list
    return {
      membership: { viewer, list_id, rule: { kind: 'all' }, today: '2026-03-31' },
      filter,
    }
  }

  async function measured<T>(work: (reader: Reader) => Promise<T>): Promise<{ answer: T; buffers: number }> {
    await client.query('deallocate all')
    const { reader, taken } = explainedReader(client)
    const answer = await work(reader)
    return { answer, buffers: taken.reduce((sum, one) => sum + one.buffers, 0) }
  }

  /** A reader whose statements of the class fail_fast are all canceled, as those that take too long. */
  const canceling: Reader = {
    async many<Row>(statement: Statement<Row, 'read'>, values: Values) {
      if (statement.connectionClass === 'fail_fast')
        throw Object.assign(new Error('Canceled.'), { code: '57014' })
      return (await client.query(statement.text, [...valuesInOrder(statement, values)])).rows as Row[]
    },
    one: async (statement, values) => (await canceling.many(statement, values))[0],
  }

  const leaf = (column: keyof TypedList['columns'], operator: string, value: unknown = null) =>
    ({ column_id: list.columns[column], operator, value }) as EntryFilter[number]

  // A buffer is a page of 8 kB. All values of a column are in some 700 pages of the table, and 180 of the index.
  for (const [title, filter, most, expected] of [
    ['without a filter', () => [], 3000, 20],
    ['with a filter that all meet', () => [leaf('text', 'eq', 'harbor'), leaf('date', 'is_set')], 1000, 20],
    [
      'with a filter that few meet',
      () => [leaf('date', 'is_set'), leaf('number', 'eq', 7), leaf('text', 'eq', 'harbor')],
      3000,
      20,
    ],
    ['with a filter that none meets', () => [leaf('number', 'gt', 1000)], 2500, 0],
  ] as const)
    it(`reads at most ${most} buffers ${title}`, async () => {
      const { answer, buffers: taken } = await measured(reader =>
        pageOfEntries(reader, membersOf(filter()), content, { after: '', limit: 20 }),
      )
      assert.equal(answer.rows.length, expected)
      assert.ok(taken <= most, `${taken} buffers`)
    })

  it('sorts what a filter leaves, and reads the values of a column once', async () => {
    const filter = [leaf('number', 'lt', 10)]
    const order = {
      by: { column_id: list.columns.number, value_type: 'number' },
      isDescending: true,
    } as const
    const { answer, buffers: taken } = await measured(reader =>
      sortedEntries(reader, membersOf(filter), content, { order, after: null, limit: 20 }),
    )
    assert.ok('rows' in answer)
    assert.deepEqual(new Set(answer.rows.map(row => row.sort_key)), new Set([9]))
    assert.ok(taken <= 6000, `${taken} buffers`)
  })

  it(`stops after ${mostSorted} members if there are too many to sort`, async () => {
    const page = { order: { by: 'name', isDescending: false }, after: null, limit: 20 } as const
    for (const filter of [[], [leaf('number', 'gte', 0)]]) {
      const members = membersOf(filter)
      const { answer } = await measured(reader => sortedEntries(reader, members, content, page))
      assert.deepEqual(answer, { unsorted: { reason: 'too_many', members: count - 1 } })
      // They are not counted if that takes too long.
      const uncounted = await sortedEntries(canceling, members, content, page)
      assert.deepEqual(uncounted, { unsorted: { reason: 'too_many', members: null } })
    }
  })

  it('is not sorted if finding the members takes too long', async () => {
    const canceled: Reader = {
      many: () => Promise.reject(Object.assign(new Error('Canceled.'), { code: '57014' })),
      one: () => Promise.resolve(undefined),
    }
    const page = { order: { by: 'name', isDescending: true }, after: null, limit: 20 } as const
    const answer = await sortedEntries(canceled, membersOf([]), content, page)
    assert.deepEqual(answer, { unsorted: { reason: 'too_slow', members: null } })
  })

  it('examines a bounded number of values where planning freely takes too long, and comes to the end', async () => {
    for (const reads_businesses of [true, false]) {
      const asked = membersOf([leaf('number', 'eq', 999)], reads_businesses)
      const found: string[] = []
      const cursors: string[] = []
      let after: string | null = ''
      while (after !== null) {
        const page = await pageOfEntries(canceling, asked, content, { after, limit: 100 })
        found.push(...page.rows.map(row => row.id))
        assert.ok(page.cursor === null || page.cursor > after)
        after = page.cursor
        if (after !== null) cursors.push(after)
      }
      assert.deepEqual(
        found,
        Array.from({ length: 20 }, (_, i) => idOf(i * 1000 + 999)),
      )
      // The end of the range is after 10,000 values of Businesses that the caller can see, and not a hidden draft.
      assert.deepEqual(cursors, [idOf(reads_businesses ? 10_000 : 10_101)])
    }
  })

  it('finds none of the Businesses that all have the value which must not be set', async () => {
    const asked = membersOf([leaf('boolean', 'is_not_set'), leaf('number', 'is_not_set')])
    const none = { rows: [], cursor: null }
    const page = { after: '', limit: 20 }
    assert.deepEqual(await pageOfEntries(canceling, asked, content, page), none)
    const { answer } = await measured(reader => pageOfEntries(reader, asked, content, page))
    assert.deepEqual(answer, none)
  })
})
