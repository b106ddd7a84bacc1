import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../../harness/service.ts'
import { addBusinesses, withdraw } from '../../harness/businesses.ts'

/** Ids spread over the whole range, so that others fit before, between and after them. */
const idAt = (place: number): `biz_${string}` => `biz_${place.toString(8).padStart(6, '0')}${'5'.repeat(20)}`
const last: `biz_${string}` = `biz_7${'Z'.repeat(25)}`

describe('the pages of a search', () => {
  let service: TestService
  const ids = Array.from({ length: 43 }, (_, i) => idAt(2000 * (i + 1)))

  before(async () => {
    service = await startTestService()
    // Inserted out of order: pages are by id, whatever the order of insertion.
    await addBusinesses(
      service,
      ids
        .map((id, i) => ({ id, name: `Numbered ${i}`, status: i % 3 === 0 ? 'closed' : 'active' }) as const)
        .toReversed(),
    )
  })
  after(() => service.close())

  /** All ids, page by page, as a client gathers them; `between` runs after each page. */
  async function walk(
    limit: number,
    filters: { query?: string; status?: 'closed' } = {},
    between = async (_cursor: string) => {},
  ) {
    const seen: string[] = []
    for (let cursor: string | undefined; ;) {
      const { data, page } = await service.anonymous.searchBusinesses({
        ...filters,
        limit,
        ...(cursor && { cursor }),
      })
      assert.ok(data.length <= limit)
      seen.push(...data.map(business => business.id))
      if (!page.has_more) {
        assert.equal(page.cursor, null)
        return seen
      }
      assert.ok(page.cursor !== null && page.cursor > (cursor ?? ''), 'the cursor advances')
      cursor = page.cursor
      await between(cursor)
    }
  }

  it('return everything exactly once and in order, whatever their size', async () => {
    for (let limit = 1; limit <= 45; limit++) assert.deepEqual(await walk(limit), ids, `limit ${limit}`)
  })

  it('return everything that matches a filter, whatever their size', async () => {
    const closed = ids.filter((_, i) => i % 3 === 0)
    for (const limit of [1, 2, 14, 15, 16]) assert.deepEqual(await walk(limit, { status: 'closed' }), closed)
  })

  it('have 20 Businesses by default', async () => {
    const first = await service.anonymous.searchBusinesses()
    assert.deepEqual(
      first.data.map(business => business.id),
      ids.slice(0, 20),
    )
    assert.deepEqual(first.page, { cursor: ids[19], has_more: true })
    const exact = await service.anonymous.searchBusinesses({ cursor: idAt(2000 * 23), limit: 20 })
    assert.deepEqual(
      exact.data.map(business => business.id),
      ids.slice(23),
    )
    assert.deepEqual(exact.page, { cursor: null, has_more: false })
  })

  it('continue after any well-formed cursor', async () => {
    const after = async (cursor: string) =>
      (await service.anonymous.searchBusinesses({ cursor: cursor, limit: 2 })).data.map(({ id }) => id)
    assert.deepEqual(await after(`biz_${'0'.repeat(26)}`), ids.slice(0, 2))
    assert.deepEqual(await after(idAt(2001)), ids.slice(1, 3))
    assert.deepEqual(await after(idAt(1999)), ids.slice(0, 2))
    assert.deepEqual(await after(ids.at(-2) as string), ids.slice(-1))
    assert.deepEqual(await after(ids.at(-1) as string), [])
    assert.deepEqual(await after(last), [])
  })

  it('miss and repeat nothing while other Businesses come and go', async () => {
    const guests: string[] = []
    const ahead: string[] = []
    const seen = await walk(3, {}, async cursor => {
      const place = Number.parseInt(cursor.slice(4, 10), 8)
      const [behind, next] = [idAt(place - 1 - guests.length), idAt(place + 1 + guests.length)]
      await addBusinesses(
        service,
        [behind, next].map(id => ({ id, name: 'Guest' })),
      )
      guests.push(behind, next)
      ahead.push(next)
    })
    assert.ok(ahead.length >= 14)
    assert.deepEqual(
      seen.filter(id => !guests.includes(id)),
      ids,
    )
    assert.deepEqual(
      seen.filter(id => guests.includes(id)),
      ahead,
      'what comes ahead of the cursor is still met, and what comes behind it is not',
    )
    await withdraw(service, guests)
  })

  it('continue if the Business of the cursor was withdrawn meanwhile', async () => {
    const extra = [idAt(2000 * 31 + 1), idAt(2000 * 41 + 1)] as const
    await addBusinesses(
      service,
      extra.map(id => ({ id, name: 'Soon gone' })),
    )
    const page = await service.anonymous.searchBusinesses({ cursor: idAt(2000 * 30), limit: 2 })
    assert.equal(page.page.cursor, extra[0])
    await withdraw(service, extra)
    const rest = await service.anonymous.searchBusinesses({ cursor: extra[0], limit: 100 })
    assert.deepEqual(
      rest.data.map(business => business.id),
      ids.slice(31),
    )
  })
})
