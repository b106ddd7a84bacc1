import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { publishedBusinesses, type Walk } from '../../../src/businesses/search/business-search.ts'
import { createPartitionBounds, lastIdBefore } from '../../../src/businesses/search/partitions.ts'
import { valuesInOrder } from '../../../src/database/parameters.ts'
import type { Reader } from '../../../src/database/statement.ts'
import { addBusinesses, withdraw } from '../../harness/businesses.ts'
import { startTestService, type TestService } from '../../harness/service.ts'
import { proofRuns } from '../../harness/proof.ts'

type Filters = Parameters<typeof publishedBusinesses>[1]
type BusinessId = `biz_${string}`

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** An id in no order with those of other numbers. */
function spreadId(n: number): BusinessId {
  const bytes = createHash('sha256').update(String(n)).digest()
  return `biz_${[...bytes.subarray(0, 26)].map((byte, i) => alphabet[byte % (i === 0 ? 8 : 32)]).join('')}`
}
const firstFrom = (bound: string): BusinessId => bound.padEnd(30, '0') as BusinessId

const states = ['GA', 'MT'] as const
const facts = Array.from({ length: 203 }, (_, n) => ({
  id: spreadId(n),
  name: `${n % 3 === 0 ? 'Alder' : 'Birch'} & ${n === 77 ? 'Rare' : 'Common'} Works ${n}`,
  status: n % 5 === 0 ? ('closed' as const) : ('active' as const),
  website_url: `https://n${n % 40}.example/`,
  locations: [{ state: states[n % 2] as string, city: n % 4 === 0 ? 'Helena' : 'Atlanta' }],
  classifications: [{ code: n % 7 === 0 ? '541511' : '541512' }],
})).sort((a, b) => (a.id < b.id ? -1 : 1))

/** The ids that a search must find: a plain scan of the facts. */
const expectedOf = (filters: Filters): string[] =>
  facts
    .filter(
      one =>
        (filters.query === undefined || one.name.toLowerCase().includes(filters.query.toLowerCase())) &&
        (filters.status === undefined || one.status === filters.status) &&
        (filters.website_url === undefined || one.website_url === filters.website_url) &&
        one.locations.every(
          ({ state, city }) =>
            state === (filters.state ?? state) &&
            city?.toLowerCase() === (filters.city ?? city?.toLowerCase()),
        ) &&
        one.classifications.every(({ code }) => code.startsWith(filters.naics_code ?? '')),
    )
    .map(one => one.id)

describe('a search over partitions', () => {
  let service: TestService
  let bounds: readonly string[]

  before(async () => {
    service = await startTestService()
    await addBusinesses(service, facts.toReversed())
    assert.ok((await dividedInto(service, 20)) > 8)
    bounds = await createPartitionBounds(service.database.readers.unscoped)()
    assert.ok(bounds.length > 8)
  })
  after(() => service.close())

  /** All ids, page by page, and the statements that each page took. */
  async function walk(filters: Filters, limit: number, milliseconds: number, canceled: 0 | 1 | 2 = 0) {
    const ids: string[] = []
    const pages: { rows: number; statements: number }[] = []
    const { unscoped } = service.database.readers
    for (let cursor: string | undefined; ;) {
      let statements = 0
      let left = 0
      const reader: Reader = {
        ...unscoped,
        many: (statement, values) => {
          statements++
          if (statement.connectionClass === 'fail_fast' && left++ < canceled)
            return Promise.reject(Object.assign(new Error('timeout'), { code: '57014' }))
          left = 0
          return unscoped.many(statement, values)
        },
      }
      const walked: Walk = { bounds, milliseconds }
      const page = await publishedBusinesses(
        reader,
        { ...filters, ...(cursor !== undefined && { cursor: cursor as BusinessId }) },
        limit,
        walked,
      )
      assert.ok(page.rows.length <= limit)
      ids.push(...page.rows.map(row => row.id))
      pages.push({ rows: page.rows.length, statements })
      if (page.cursor === null) return { ids, pages }
      assert.match(page.cursor, /^biz_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
      assert.ok(page.cursor > (cursor ?? ''), 'the cursor advances')
      cursor = page.cursor
    }
  }

  it('returns every Business that matches exactly once and in order', async () => {
    const filters: fc.Arbitrary<Filters> = fc.record(
      {
        query: fc.constantFrom('alder', 'r & c', 'works 1', 'rare', 'nowhere'),
        status: fc.constantFrom('active', 'closed'),
        state: fc.constantFrom(...states),
        city: fc.constantFrom('helena', 'atlanta'),
        naics_code: fc.constantFrom('54', '541511'),
        website_url: fc.constantFrom('https://n3.example/', 'https://nowhere.example/'),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom(0, 1000),
        fc.constantFrom(0 as const, 1 as const, 2 as const),
        async (given, limit, milliseconds, canceled) => {
          assert.deepEqual((await walk(given, limit, milliseconds, canceled)).ids, expectedOf(given))
        },
      ),
      { numRuns: proofRuns({ full: 80, short: 12 }) },
    )
  })

  it('reads one partition for a page when its time is over, and answers with empty pages that continue', async () => {
    const { ids, pages } = await walk({ query: 'rare' }, 20, 0)
    assert.deepEqual(ids, [spreadId(77)])
    assert.deepEqual(
      pages.map(page => page.statements),
      Array.from({ length: bounds.length + 1 }, () => 1),
    )
    assert.equal(pages.filter(page => page.rows === 0).length, bounds.length)
  })

  it('reads no partition after the page is full', async () => {
    const { pages } = await walk({}, 5, 1000)
    assert.ok(
      pages.every(page => page.statements <= 2),
      'a page of 5 rows lies in two partitions at most',
    )
    const { pages: all } = await walk({ query: 'nowhere' }, 5, 1000)
    assert.deepEqual(all, [{ rows: 0, statements: bounds.length + 1 }])
  })

  it('reads one partition in each statement', async () => {
    const { unscoped } = service.database.readers
    const read: string[] = []
    const reader: Reader = {
      ...unscoped,
      async many(statement, values) {
        const [plan] = await service.sql(`explain (format json) ${statement.text}`, [
          ...valuesInOrder(statement, values),
        ])
        const names = JSON.stringify(plan).matchAll(/"Relation Name":"([^"]*)"/g)
        read.push([...names].map(([, name]) => name).join(' and '))
        return unscoped.many(statement, values)
      },
    }
    let cursor: BusinessId | undefined
    for (const milliseconds of [0, 1000]) {
      const page = await publishedBusinesses(reader, { query: 'nowhere', ...(cursor && { cursor }) }, 20, {
        bounds,
        milliseconds,
      })
      cursor = page.cursor as BusinessId
    }
    const partitions = await service.sql<{ partition: string }>(
      'select partition::text from published_business_partitions',
    )
    assert.deepEqual(
      read,
      partitions.map(row => row.partition),
    )
  })

  it('finds the first and the last possible id of a partition, and continues after a Business that was withdrawn', async () => {
    const bound = bounds[4] as string
    const edges = [lastIdBefore(bound), firstFrom(bound)]
    await addBusinesses(
      service,
      edges.map(id => ({ id, name: 'On the Edge' })),
    )
    const partitions = await service.sql<{ partition: string }>(
      'select tableoid::regclass::text as partition from published_businesses where id = any ($1) order by id',
      [edges],
    )
    assert.equal(new Set(partitions.map(row => row.partition)).size, 2)
    for (const milliseconds of [0, 1000])
      for (const limit of [1, 2, 3])
        assert.deepEqual((await walk({ query: 'on the edge' }, limit, milliseconds)).ids, edges)
    await withdraw(service, [edges[0] as string])
    const rest = await publishedBusinesses(
      service.database.readers.unscoped,
      { query: 'on the edge', cursor: edges[0] as BusinessId },
      5,
      { bounds, milliseconds: 0 },
    )
    assert.deepEqual(
      rest.rows.map(row => row.id),
      [edges[1]],
    )
    await withdraw(service, [edges[1] as string])
  })

  it('answers over HTTP with the same pages', async () => {
    const ids: string[] = []
    for await (const business of service.anonymous.searchBusinesses.each({ status: 'closed', limit: 7 }))
      ids.push(business.id)
    assert.deepEqual(ids, expectedOf({ status: 'closed' }))
  })
})

describe('the id before a bound', () => {
  it('is the greatest one that is less', () => {
    assert.equal(lastIdBefore('biz_01M2G8'), `biz_01M2G7${'Z'.repeat(20)}`)
    assert.equal(lastIdBefore('biz_01M200'), `biz_01M1${'Z'.repeat(22)}`)
    assert.equal(lastIdBefore(`biz_01J${'0'.repeat(22)}1`), `biz_01J${'0'.repeat(23)}`)
    assert.equal(lastIdBefore('biz_01K'), `biz_01J${'Z'.repeat(23)}`)
  })
})

/** Divides the published Businesses into partitions of about so many rows. Returns how many were made. */
async function dividedInto(service: TestService, most: number): Promise<number> {
  const [row] = await service.sql<{ made: number }>('select divide_published_businesses($1) as made', [most])
  return row?.made ?? 0
}
