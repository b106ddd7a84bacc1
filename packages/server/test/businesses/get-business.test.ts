import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId, type Id } from '@wbs/contract/ids'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { addBusiness, addSource, type BusinessFacts } from '../harness/businesses.ts'

const everything = ['classifications', 'locations', 'identifiers', 'provenance'] as const

const facts: BusinessFacts = {
  name: 'Glacier Tooling',
  legal_name: 'Glacier Tooling LLC',
  founded_year: 1999,
  locations: [
    { state: 'OR', city: 'Portland', line1: '1 Anvil Way', postal_code: '97201' },
    { kind: 'mailing', state: 'WA', city: 'Vancouver', is_primary: false, published: false },
    { kind: 'branch', state: 'ME', city: 'Bath', is_primary: false },
  ],
  classifications: [
    { code: '332710' },
    { code: '541511', vintage: '2017', is_primary: false, published: false },
    { code: '31-33', is_primary: false },
  ],
  identifiers: [
    { scheme: 'ein', value: '12-3456789', published: false },
    { scheme: 'uei', value: 'ABCDEF123456', published: true },
  ],
}

describe('GET /v1/businesses/{business_id}', () => {
  let service: TestService
  let olivia: Person
  let published: Id<'biz'>
  before(async () => {
    service = await startTestService()
    olivia = service.person('Olivia')
    published = await addBusiness(service, facts)
    await addSource(service, 'registry', published, ['name', 'legal_name', 'city'])
  })
  after(() => service.close())

  it('returns all fields of a published Business', async () => {
    const { data, projection, schema_version, as_of, request_id, ...rest } =
      await service.anonymous.getBusiness({
        business_id: published,
      })
    const { name, legal_name, founded_year, revision, merged_into_id, state, city, naics_code, naics_title } =
      data
    assert.deepEqual(
      { name, legal_name, founded_year, revision, merged_into_id, state, city, naics_code, naics_title },
      {
        name: 'Glacier Tooling',
        legal_name: 'Glacier Tooling LLC',
        founded_year: 1999,
        revision: 1,
        merged_into_id: null,
        state: 'OR',
        city: 'Portland',
        naics_code: '332710',
        naics_title: 'Machine Shops',
      },
    )
    assert.equal(Object.keys(data).length, 19 + 6, 'the projection, and the facts beyond it')
    assert.equal(data.created_at, new Date(data.created_at ?? '').toISOString())
    assert.equal(data.updated_at, data.created_at)
    assert.equal(projection, 'public')
    assert.equal(schema_version, 'svc.business.v1')
    assert.ok(!Number.isNaN(Date.parse(as_of)))
    assert.match(request_id, /^req_/)
    assert.deepEqual(rest, {})
  })

  it('includes requested parts, only published ones, primary first', async () => {
    const { data } = await service.anonymous.getBusiness({ business_id: published, include: [...everything] })
    const withoutIds = (parts: object[] = []) =>
      parts.map(part => Object.fromEntries(Object.entries(part).filter(([key]) => !key.endsWith('_id'))))
    assert.deepEqual(withoutIds(data.classifications), [
      {
        scheme: 'naics',
        code: '332710',
        vintage: '2022',
        title: 'Machine Shops',
        is_primary: true,
        published: true,
      },
      {
        scheme: 'naics',
        code: '31-33',
        vintage: '2022',
        title: 'Manufacturing',
        is_primary: false,
        published: true,
      },
    ])
    assert.equal(data.classifications?.[0]?.classification_id, data.primary_classification_id)
    assert.deepEqual(withoutIds(data.locations), [
      {
        kind: 'principal',
        country_code: 'US',
        state: 'OR',
        city: 'Portland',
        postal_code: '97201',
        line1: '1 Anvil Way',
        is_primary: true,
        published: true,
      },
      {
        kind: 'branch',
        country_code: 'US',
        state: 'ME',
        city: 'Bath',
        postal_code: null,
        line1: null,
        is_primary: false,
        published: true,
      },
    ])
    assert.equal(data.locations?.[0]?.location_id, data.primary_location_id)
    assert.deepEqual(data.identifiers, [{ scheme: 'uei', value: 'ABCDEF123456', published: true }])
    assert.equal(data.provenance, undefined, 'which is for those with businesses:read')
  })

  it('includes empty lists for a Business without parts', async () => {
    const bare = await addBusiness(service, { name: 'Bare' })
    const { data } = await service.anonymous.getBusiness({
      business_id: bare,
      include: ['classifications', 'locations', 'identifiers'],
    })
    assert.deepEqual([data.classifications, data.locations, data.identifiers], [[], [], []])
  })

  it('includes provenance for those with businesses:read', async () => {
    const workspace_id = await service.workspace('Harbor Street Partners', olivia)
    const { secret } = await service.apiKey(workspace_id, olivia, ['businesses:read'])
    const { secret: without } = await service.apiKey(workspace_id, olivia, ['rooms:read'])
    const fields = async (api_key: string) =>
      (
        await service.client({ api_key }).getBusiness({ business_id: published, include: ['provenance'] })
      ).data.provenance?.map(one => one.field)
    assert.deepEqual(await fields(secret), ['city', 'legal_name', 'name'])
    assert.equal(await fields(without), undefined)
    const { data } = await olivia.client.getBusiness({
      business_id: published,
      include: ['provenance'],
      fields: ['legal_name'],
    })
    assert.deepEqual(data.provenance, [
      {
        business_id: published,
        field: 'legal_name',
        source: 'registry',
        source_url: 'https://registry.example/data',
        observed_at: '2026-03-31',
      },
    ])
  })

  it('returns the requested fields, and always the id', async () => {
    const shown = async (query: string) =>
      Object.keys((await service.request(`/v1/businesses/${published}?${query}`)).body.data)
    assert.deepEqual(await shown('fields=legal_name'), ['id', 'legal_name'])
    assert.deepEqual(await shown('fields=revision,city&fields=merged_into_id'), [
      'id',
      'city',
      'revision',
      'merged_into_id',
    ])
    assert.deepEqual(await shown('fields=name&include=locations'), ['id', 'name', 'locations'])
  })

  it('refuses unknown parameters and values', async () => {
    const cases: [query: string, pointer: string, code: string][] = [
      ['fields=nothing', '/fields/0', 'unknown'],
      ['fields=', '/fields', 'too_short'],
      ['fields=classifications', '/fields/0', 'unknown'],
      ['include=everything', '/include/0', 'unknown'],
      ['include=locations,__proto__', '/include/1', 'unknown'],
      ['include=locations&include=identifiers', '/include', 'conflict'],
      ['limit=5', '/limit', 'unknown'],
    ]
    for (const [query, pointer, code] of cases) {
      const { status, body } = await service.request(`/v1/businesses/${published}?${query}`)
      assert.equal(status, 400, query)
      assert.deepEqual(
        body.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]),
        [[pointer, code]],
      )
    }
  })

  it('refuses ids of other resources', async () => {
    for (const id of [
      '1',
      published.toLowerCase(),
      published.replace('biz_', 'loc_'),
      `biz_8${published.slice(5)}`,
      `${published}0`,
      '%00',
      '..%2fme',
    ]) {
      const { status, body } = await service.request(`/v1/businesses/${id}`)
      assert.equal(status, 400, id)
      assert.deepEqual(
        body.errors.map((error: { in: string; pointer: string }) => [error.in, error.pointer]),
        [['path', '/business_id']],
      )
    }
  })

  it('answers 404 for an unknown Business', async () => {
    const { status, body, headers } = await service.request(`/v1/businesses/${newId('biz')}`)
    assert.equal(status, 404)
    assert.equal(body.code, 'not_found')
    assert.equal(headers.get('etag'), null)
    assert.equal(headers.get('cache-control'), 'private, no-store')
  })

  it('refuses an invalid credential, although none is required', async () => {
    assert.equal((await service.request(`/v1/businesses/${published}`, { token: 'garbage' })).status, 401)
    assert.equal(
      (await service.request(`/v1/businesses/${published}`, { headers: { 'x-svc-api-key': 'garbage' } }))
        .status,
      401,
    )
  })

  it('returns its revision as ETag, and 304 if the client has it', async () => {
    const path = `/v1/businesses/${published}`
    const first = await service.request(path)
    assert.equal(first.headers.get('etag'), '"r1"')
    for (const tag of ['"r1"', 'W/"r1"', '"r0", "r1"', '*']) {
      const { status, text, headers } = await service.request(path, { headers: { 'if-none-match': tag } })
      assert.equal(status, 304, tag)
      assert.equal(text, '')
      assert.equal(headers.get('etag'), '"r1"')
    }
    for (const tag of ['"r2"', 'r1', '"v1"'])
      assert.equal((await service.request(path, { headers: { 'if-none-match': tag } })).status, 200, tag)
    await service.sql('update businesses set revision = 2 where id = $1', [published])
    const changed = await service.request(path, { headers: { 'if-none-match': '"r1"' } })
    assert.equal(changed.status, 200)
    assert.equal(changed.headers.get('etag'), '"r2"')
  })

  it('does not reveal a hidden Business by If-None-Match', async () => {
    const draft = await addBusiness(service, { name: 'Draft', publication_status: 'draft' })
    const { status } = await service.request(`/v1/businesses/${draft}`, { headers: { 'if-none-match': '*' } })
    assert.equal(status, 404)
  })
})
