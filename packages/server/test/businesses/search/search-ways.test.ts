import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { publishedBusinesses, type Walk } from '../../../src/businesses/search/business-search.ts'
import { foldName } from '../../../src/businesses/fold.ts'
import type { Reader } from '../../../src/database/statement.ts'
import { startTestService, type TestService } from '../../harness/service.ts'
import { addBusinesses } from '../../harness/businesses.ts'
import { proofRuns } from '../../harness/proof.ts'

type Filters = Parameters<typeof publishedBusinesses>[1]

/** The modes of a search, by how many of its statements are canceled before one succeeds. */
const modes = { planned: 0, indexed: 1, scanned: 2 } as const

/** All ids as one partition. */
const undivided: Walk = { bounds: [], milliseconds: 1000 }

/** A reader that cancels the first statements with a short time limit, as happens if they take too long. */
function cancelingReader(reader: Reader, times: number): Reader {
  let left = times
  return {
    ...reader,
    async many(statement, values) {
      if (statement.connectionClass === 'fail_fast' && left-- > 0)
        throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
      return reader.many(statement, values)
    },
  }
}

describe('every mode of a search', () => {
  let service: TestService
  before(async () => void (service = await startTestService()))
  after(() => service.close())

  /** All ids that a search returns in one mode, and the length of each page. */
  async function pagesOf(mode: keyof typeof modes, filters: Filters, limit: number) {
    const ids: string[] = []
    const pages: number[] = []
    for (let cursor: string | undefined; ;) {
      const reader = cancelingReader(service.database.readers.unscoped, modes[mode])
      const page = await publishedBusinesses(
        reader,
        { ...filters, ...(cursor !== undefined && { cursor }) } as Filters,
        limit,
        undivided,
      )
      ids.push(...page.rows.map(row => row.id))
      pages.push(page.rows.length)
      assert.ok(page.rows.length <= limit)
      if (page.cursor === null) return { ids, pages }
      assert.ok(page.cursor > (cursor ?? ''), 'the cursor advances')
      cursor = page.cursor
    }
  }

  // Few letters and all separators of words, so that names often share parts across every kind of gap.
  const characters = [
    'a',
    'b',
    'A',
    '1',
    ' ',
    '&',
    "'",
    '-',
    '.',
    '_',
    '%',
    '\\',
    '/',
    'é',
    '\u0301',
    'ß',
    '𠮷',
    '\u00ad',
  ]
  const text = fc.string({ unit: fc.constantFrom(...characters), minLength: 3, maxLength: 12 })
  const named = text.filter(name => foldName(name) !== '')
  const part = fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 3, max: 6 }))

  it('finds all names that contain the text, by id', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: named, status: fc.constantFrom('active', 'closed') }), {
          minLength: 1,
          maxLength: 12,
        }),
        fc.array(fc.oneof(part, text), { minLength: 3, maxLength: 6 }),
        fc.constantFrom({}, { status: 'closed' as const }),
        fc.integer({ min: 1, max: 13 }),
        async (businesses, parts, filters, limit) => {
          await service.sql('truncate businesses cascade')
          const ids = await addBusinesses(service, businesses)
          for (const query of parts.map(one => (typeof one === 'string' ? one : partOf(businesses, one)))) {
            const folded = foldName(query)
            const expected = ids.filter((_, i) => {
              const { name, status } = businesses[i] as (typeof businesses)[number]
              return folded !== '' && foldName(name).includes(folded) && status === (filters.status ?? status)
            })
            for (const mode of ['planned', 'indexed', 'scanned'] as const)
              assert.deepEqual(
                (await pagesOf(mode, { ...filters, query }, limit)).ids,
                expected,
                `${mode}: ${JSON.stringify(query)}`,
              )
          }
        },
      ),
      { numRuns: proofRuns({ full: 40, short: 6 }) },
    )
  })

  /** A part of one of the names, where and as long as the numbers say. */
  function partOf(businesses: { name: string }[], [which, from, length]: [number, number, number]): string {
    const letters = Array.from(businesses[which % businesses.length]?.name ?? '')
    const start = from % letters.length
    return letters.slice(start, start + length).join('')
  }

  it('applies the other filters', async () => {
    await service.sql('truncate businesses cascade')
    const facts = {
      locations: [{ state: 'OR', city: 'Portland' }],
      classifications: [{ code: '541511' }],
      website_url: 'https://a.example/',
    }
    const [, wanted] = await addBusinesses(service, [
      { ...facts, name: 'A & B', website_url: 'https://b.example/' },
      { ...facts, name: 'A & B' },
      { ...facts, name: 'A & B', locations: [{ state: 'ME', city: 'Portland' }] },
      { ...facts, name: 'A & B', classifications: [{ code: '541512' }] },
      { ...facts, name: 'A and B' },
      { ...facts, name: 'A & B', publication_status: 'draft' },
    ])
    const filters = {
      query: 'a & b',
      state: 'OR',
      city: 'Portland',
      naics_code: '541511',
      website_url: 'https://a.example/',
    }
    for (const mode of ['planned', 'indexed', 'scanned'] as const)
      assert.deepEqual((await pagesOf(mode, filters, 5)).ids, [wanted])
  })

  it('returns everything without a filter, and nothing if there is nothing', async () => {
    await service.sql('truncate businesses cascade')
    for (const mode of ['planned', 'indexed', 'scanned'] as const)
      assert.deepEqual((await pagesOf(mode, {}, 3)).ids, [])
    const ids = await addBusinesses(
      service,
      Array.from({ length: 7 }, (_, i) => ({ name: `Numbered ${i}` })),
    )
    for (const mode of ['planned', 'indexed', 'scanned'] as const)
      for (const limit of [1, 3, 6, 7, 8])
        assert.deepEqual((await pagesOf(mode, {}, limit)).ids, ids, `${mode}, limit ${limit}`)
  })

  it('reads at most 20,000 Businesses for a page of a scan, which can be empty although there are more', async () => {
    await service.sql('truncate businesses cascade')
    await service.sql(
      `with made as (
         insert into businesses (id, name, name_folded, publication_status, published_at)
         select 'biz_0' || lpad(n::text, 25, '0'), name, name, 'published', now()
         from (select n, case when n in (5, 40400) then 'needle ' else 'hay ' end || n as name from generate_series(1, 40500) n) named
         returning id
       )
       select count(*) from made`,
    )
    await service.sql('select project_businesses(array(select id from businesses))')
    const { ids, pages } = await pagesOf('scanned', { query: 'needle' }, 10)
    assert.deepEqual(
      ids,
      [5, 40_400].map(n => `biz_0${String(n).padStart(25, '0')}`),
    )
    assert.deepEqual(pages, [1, 0, 1])
  })

  it('is not used after another error than a cancellation', async () => {
    const { unscoped } = service.database.readers
    const broken: Reader = {
      ...unscoped,
      many: (statement, values) =>
        statement.connectionClass === 'fail_fast'
          ? Promise.reject(Object.assign(new Error('out of memory'), { code: '53200' }))
          : unscoped.many(statement, values),
    }
    await assert.rejects(publishedBusinesses(broken, {}, 5, undivided), { code: '53200' })
  })
})
