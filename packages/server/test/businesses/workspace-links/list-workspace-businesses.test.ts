import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'
import { addBusiness, addBusinesses } from '../../harness/businesses.ts'

describe('GET /v1/workspaces/{workspace_id}/businesses', () => {
  let service: TestService
  let olivia: Person
  let workspace_id: string
  before(async () => {
    service = await startTestService()
    olivia = service.person('Olivia')
  })
  beforeEach(async () => void (workspace_id = await service.workspace('Harbor Street Partners', olivia)))
  after(() => service.close())

  const list = (
    input: Omit<Parameters<Person['client']['listWorkspaceBusinesses']>[0], 'workspace_id'> = {},
    who = olivia,
  ) => who.client.listWorkspaceBusinesses({ workspace_id, ...input })
  const linkAll = (ids: readonly string[]) =>
    Promise.all(ids.map(id => service.link(workspace_id, id, olivia)))

  it('returns the fields of a Business, and the records of the Workspace', async () => {
    const id = await addBusiness(service, {
      name: 'Glacier Tooling',
      locations: [{ state: 'OR', city: 'Portland' }],
      classifications: [{ code: '332710' }],
    })
    await service.link(workspace_id, id, olivia, 'edit')
    const { data, page, request_id, ...rest } = await list()
    const { logo_url, observations, workspace_access, ...business } = data[0] as NonNullable<(typeof data)[0]>
    const { data: published } = await service.anonymous.searchBusinesses({ query: 'glacier tooling' })
    assert.deepEqual(business, published[0])
    assert.equal(logo_url, null)
    assert.deepEqual(observations, [])
    assert.deepEqual(workspace_access, { access_level: 'edit' })
    assert.deepEqual(page, { cursor: null, has_more: false })
    assert.match(request_id, /^req_/)
    assert.deepEqual(rest, {})
  })

  it('includes unpublished Businesses, with all their facts', async () => {
    const states = ['draft', 'withdrawn', 'merged', 'published'] as const
    const ids = await addBusinesses(
      service,
      states.map(publication_status => ({
        name: publication_status,
        publication_status,
        locations: [{ state: 'OR', city: 'Portland', published: publication_status === 'published' }],
      })),
    )
    await linkAll(ids)
    const { data } = await list()
    assert.deepEqual(
      data.map(one => [one.name, one.publication_status, one.city]),
      states.map(state => [state, state, 'Portland']),
    )
  })

  it('excludes Businesses of other Workspaces', async () => {
    const [mine, shared, theirs] = (await addBusinesses(
      service,
      ['Mine', 'Shared', 'Theirs'].map(name => ({ name })),
    )) as [string, string, string]
    const other = await service.workspace('Other', olivia)
    await linkAll([mine, shared])
    for (const id of [shared, theirs]) await service.link(other, id, olivia)
    assert.deepEqual(
      (await list()).data.map(one => one.id),
      [mine, shared],
    )
    const { data } = await olivia.client.listWorkspaceBusinesses({ workspace_id: other })
    assert.deepEqual(
      data.map(one => one.id),
      [shared, theirs],
    )
  })

  it('returns everything exactly once by id, whatever the page size', async () => {
    const ids = await addBusinesses(
      service,
      Array.from({ length: 23 }, (_, i) => ({ name: `Numbered ${i}` })),
    )
    await linkAll(ids.toReversed())
    for (let limit = 1; limit <= 24; limit++) {
      const seen: string[] = []
      for await (const one of olivia.client.listWorkspaceBusinesses.each({ workspace_id, limit }))
        seen.push(one.id)
      assert.deepEqual(seen, ids, `limit ${limit}`)
    }
    const first = await list()
    assert.equal(first.data.length, 20)
    assert.deepEqual(first.page, { cursor: ids[19], has_more: true })
  })

  it('continues if the Business of the cursor was removed meanwhile', async () => {
    const ids = await addBusinesses(
      service,
      Array.from({ length: 8 }, (_, i) => ({ name: `Numbered ${i}` })),
    )
    await linkAll(ids)
    const first = await list({ limit: 3 })
    await service.sql('delete from workspace_businesses where workspace_id = $1 and business_id = any ($2)', [
      workspace_id,
      [ids[2], ids[4]],
    ])
    const second = await list({ limit: 100, cursor: first.page.cursor ?? '' })
    assert.deepEqual(
      second.data.map(one => one.id),
      [ids[3], ...ids.slice(5)],
    )
  })

  it('filters by part of the name, trimmed, in any case', async () => {
    const names = ['D & G Tooling', 'D G Tooling', '100% Pure', '100 Pure', '𠮷野家 Diner', 'Soft\u00adware']
    await linkAll(
      await addBusinesses(
        service,
        names.map(name => ({ name, publication_status: 'draft' })),
      ),
    )
    const cases: [name: string, expected: string[]][] = [
      ['tool', ['D & G Tooling', 'D G Tooling']],
      [' \t tool  ', ['D & G Tooling', 'D G Tooling']],
      ['D & G', ['D & G Tooling']],
      ['0% p', ['100% Pure']],
      ['𠮷野家', ['𠮷野家 Diner']],
      ['software', ['Soft\u00adware']],
      ['%%%', []],
      ['\u00ad\u00ad\u00ad', []],
      [` ${'x'.repeat(200)} `, []],
    ]
    for (const [name, expected] of cases) {
      const { data, page } = await list({ name })
      assert.deepEqual(
        data.map(one => one.name),
        expected,
        name,
      )
      assert.deepEqual(page, { cursor: null, has_more: false })
    }
  })

  it('applies the filter on every page', async () => {
    const ids = await addBusinesses(
      service,
      Array.from({ length: 12 }, (_, i) => ({ name: i % 2 ? 'Odd one' : 'Even one' })),
    )
    await linkAll(ids)
    for (const limit of [1, 2, 3, 5, 6, 7]) {
      const seen: string[] = []
      for await (const one of olivia.client.listWorkspaceBusinesses.each({
        workspace_id,
        limit,
        name: 'odd',
      }))
        seen.push(one.id)
      assert.deepEqual(
        seen,
        ids.filter((_, i) => i % 2 === 1),
        `limit ${limit}`,
      )
    }
  })

  /** Inserts 10,500 Businesses named hay, except at these positions, and links them all directly in the database. */
  const linkHaystack = (needles: number[], start: string) =>
    service.sql(
      `with made as (
         insert into businesses (id, name, name_folded)
         select $1 || lpad(n::text, 24, '0'), name, name
         from (select n, case when n = any ($2::int[]) then 'needle ' else 'hay ' end || n as name from generate_series(1, 10500) n) named
         returning id
       )
       insert into workspace_businesses (workspace_id, business_id, access_level, linked_by) select $3, id, 'view', $4 from made`,
      [start, needles, workspace_id, olivia.user_id],
    )

  it('finds the same after a few Businesses have become many', async () => {
    const find = () =>
      service.request(`/v1/workspaces/${workspace_id}/businesses?name=needle`, {
        token: olivia.token,
        headers: { 'svc-workspace-id': workspace_id },
      })
    await linkAll(
      await addBusinesses(
        service,
        Array.from({ length: 60 }, (_, i) => ({ name: `Numbered ${i}` })),
      ),
    )
    for (let i = 0; i < 40; i++) await find() // as often as it takes for plans to be kept
    await linkHaystack([4000], 'biz_01')
    const { status, body } = await find()
    assert.equal(status, 200)
    assert.equal(body.data[0]?.name, 'needle 4000')
  })

  it('returns empty pages that advance if few of many Businesses match', async () => {
    await linkHaystack([10, 10_400], 'biz_00')
    const pages: (string | undefined)[][] = []
    for (let cursor: string | undefined; ;) {
      const { data, page } = await list({
        name: 'needle',
        ...(cursor && { cursor: cursor }),
      })
      pages.push(data.map(one => one.name))
      if (!page.has_more) break
      assert.ok(page.cursor !== null && page.cursor > (cursor ?? ''))
      cursor = page.cursor
    }
    assert.deepEqual(pages, [['needle 10'], [], ['needle 10400']])

    const missing = await list({ name: 'no such name' })
    assert.deepEqual(missing.data, [])
    assert.deepEqual(missing.page, { cursor: `biz_00${'5000'.padStart(24, '0')}`, has_more: true })
    const { page: last } = await list({ name: 'no such name', cursor: `biz_00${'5500'.padStart(24, '0')}` })
    assert.equal(last.has_more, true, 'what was looked at last may have been the last there is')
    const { page: end } = await list({ name: 'no such name', cursor: last.cursor ?? '' })
    assert.deepEqual(end, { cursor: null, has_more: false })
  })

  it('is not cached', async () => {
    const { headers } = await service.request(`/v1/workspaces/${workspace_id}/businesses`, {
      token: olivia.token,
      headers: { 'svc-workspace-id': workspace_id },
    })
    assert.equal(headers.get('cache-control'), 'private, no-store')
    assert.equal(headers.get('vary'), 'Authorization, X-SVC-API-Key, SVC-Workspace-Id')
  })

  it('refuses invalid parameters', async () => {
    const cases: [query: string, pointer: string, code: string][] = [
      [`name=${encodeURIComponent(' ab ')}`, '/name', 'too_short'],
      [`name=${encodeURIComponent(' 𠮷𠮷 ')}`, '/name', 'too_short'],
      ['name=%20%20%20%20', '/name', 'too_short'],
      [`name=${'a'.repeat(201)}`, '/name', 'too_long'],
      ['name=', '/name', 'too_short'],
      ['name=abc&name=abc', '/name', 'conflict'],
      ['name=a%00bc', '/name', 'format'],
      ['limit=0', '/limit', 'out_of_range'],
      ['limit=101', '/limit', 'out_of_range'],
      ['limit=1e1', '/limit', 'type'],
      ['cursor=biz_8JD8Q5W3RZXKT4M2N6P7V9Y0A', '/cursor', 'format'],
      ['cursor=1', '/cursor', 'format'],
      ['query=abc', '/query', 'unknown'],
      ['fields=name', '/fields', 'unknown'],
      ['state=CA', '/state', 'unknown'],
      ['workspace_id=x', '/workspace_id', 'unknown'],
      ['__proto__=x', '/__proto__', 'unknown'],
    ]
    for (const [query, pointer, code] of cases) {
      const { status, body } = await service.request(`/v1/workspaces/${workspace_id}/businesses?${query}`, {
        token: olivia.token,
        headers: { 'svc-workspace-id': workspace_id },
      })
      assert.equal(status, 400, query)
      assert.deepEqual(
        body.errors.map((error: { in: string; pointer: string; code: string }) => [
          error.in,
          error.pointer,
          error.code,
        ]),
        [['query', pointer, code]],
        query,
      )
    }
  })
})
