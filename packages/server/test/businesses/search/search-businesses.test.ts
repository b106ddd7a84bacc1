import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'
import { addBusiness, addBusinesses, addSource } from '../../harness/businesses.ts'

describe('GET /v1/businesses', () => {
  let service: TestService
  let olivia: Person
  let full: string
  let sparse: string

  before(async () => {
    service = await startTestService()
    olivia = service.person('Olivia')
    ;[full, sparse] = (await addBusinesses(service, [fullRecord, { name: 'Sparse' }])) as [string, string]
  })
  after(() => service.close())

  it('returns every public field', async () => {
    const { data, page, projection, schema_version, as_of, request_id, ...rest } =
      await service.anonymous.searchBusinesses({ query: 'glacier' })
    const [business] = data
    assert.match(business?.primary_location_id ?? '', /^loc_/)
    assert.match(business?.primary_classification_id ?? '', /^cls_/)
    assert.deepEqual(
      { ...business, primary_location_id: 'a location', primary_classification_id: 'a classification' },
      {
        id: full,
        name: 'Glacier Tooling',
        publication_status: 'published',
        status: 'closed',
        closed_on: '2025-12-31',
        description: 'Makes dies.',
        founded_on: '1999-02-28',
        primary_classification_id: 'a classification',
        primary_location_id: 'a location',
        published_at: '2026-01-02T03:04:05.678Z',
        public_email: 'hello@glacier.example',
        public_phone: '+1 503 555 0100',
        website_url: 'https://glacier.example/',
        country_code: 'US',
        state: 'OR',
        city: 'Portland',
        naics_code: '332710',
        naics_vintage: '2022',
        naics_title: 'Machine Shops',
      },
    )
    assert.deepEqual(page, { cursor: null, has_more: false })
    assert.equal(projection, 'public')
    assert.equal(schema_version, 'svc.business.v1')
    assert.ok(Math.abs(Date.parse(as_of) - Date.now()) < 600_000)
    assert.match(request_id, /^req_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
    assert.deepEqual(rest, {}, 'nothing else is answered to somebody unknown')
  })

  it('returns null for unknown facts', async () => {
    const { data } = await service.anonymous.searchBusinesses({ query: 'sparse' })
    const known = {
      id: sparse,
      name: 'Sparse',
      publication_status: 'published',
      status: 'active',
      country_code: 'US',
    }
    const { published_at, ...business } = data[0] ?? {}
    assert.ok(published_at)
    assert.equal(Object.keys(business).length, 18)
    for (const [field, value] of Object.entries(business))
      assert.equal(value, (known as Record<string, string>)[field] ?? null, field)
  })

  it('returns the requested fields, and always the id', async () => {
    const shown = async (query: string) => {
      const { body } = await service.request(`/v1/businesses?query=glacier&${query}`)
      return Object.keys(body.data[0])
    }
    assert.deepEqual(await shown('fields=name'), ['id', 'name'])
    assert.deepEqual(await shown('fields=id'), ['id'])
    assert.deepEqual(await shown('fields=city,name&fields=state&fields=name'), [
      'id',
      'name',
      'state',
      'city',
    ])
    assert.equal((await shown('fields=status')).includes('publication_status'), false)
  })

  it('returns an empty page if nothing is found', async () => {
    const { status, body } = await service.request('/v1/businesses?query=nothing+of+the+kind')
    assert.equal(status, 200)
    assert.deepEqual(body.data, [])
    assert.deepEqual(body.page, { cursor: null, has_more: false })
    assert.deepEqual(Object.keys(body).sort(), [
      'as_of',
      'data',
      'page',
      'projection',
      'request_id',
      'schema_version',
    ])
  })

  it('may be cached publicly without a credential, and not with one', async () => {
    const anonymous = await service.request('/v1/businesses')
    assert.equal(anonymous.headers.get('cache-control'), 'public, max-age=30')
    const signedIn = await service.request('/v1/businesses', { token: olivia.token })
    assert.equal(signedIn.headers.get('cache-control'), 'private, no-store')
    for (const { headers } of [anonymous, signedIn])
      assert.equal(headers.get('vary'), 'Authorization, X-SVC-API-Key, SVC-Workspace-Id')
    const refused = await service.request('/v1/businesses?limit=0')
    assert.equal(refused.headers.get('cache-control'), 'private, no-store')
  })

  it('returns the request_id and the version in headers, too', async () => {
    const { headers, body } = await service.request('/v1/businesses')
    assert.equal(headers.get('svc-request-id'), body.request_id)
    assert.equal(headers.get('svc-api-version'), '0.2.0-api.20')
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  })

  it('does not link Businesses to the Workspace', async () => {
    const workspace_id = await service.workspace('Harbor Street Partners', olivia)
    await olivia.client.searchBusinesses({ query: 'glacier' }, { workspace_id })
    const { data } = await olivia.client.listWorkspaceBusinesses({ workspace_id })
    assert.deepEqual(data, [])
    assert.deepEqual(await service.sql('select * from workspace_businesses'), [])
  })

  it('refuses an invalid credential, although none is required', async () => {
    const expired = service.issuer.sign({
      ...service.issuer.claims(),
      exp: Math.floor(Date.now() / 1000) - 3600,
    })
    const credentials: Record<string, string>[] = [
      { authorization: 'Bearer garbage' },
      { authorization: 'Bearer ' },
      { authorization: 'Basic b2xpdmlhOnNlY3JldA==' },
      { authorization: olivia.token },
      { authorization: `Bearer ${expired}` },
      { 'x-svc-api-key': 'garbage' },
      { 'x-svc-api-key': 'svc_test_00000000_00000000000000000000000000000000000000' },
    ]
    for (const headers of credentials) {
      // The credential is checked before the parameters.
      const answer = await service.request('/v1/businesses?limit=0', { headers })
      assert.equal(answer.status, 401, JSON.stringify(headers))
      assert.equal(answer.body.code, 'unauthenticated')
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer /)
    }
  })

  it('refuses two credentials at once', async () => {
    const workspace_id = await service.workspace('Harbor Street Partners', olivia)
    const { secret } = await service.apiKey(workspace_id, olivia, ['businesses:read'])
    const { status, body } = await service.request('/v1/businesses', {
      token: olivia.token,
      headers: { 'x-svc-api-key': secret },
    })
    assert.equal(status, 400)
    assert.equal(body.code, 'validation_error')
  })

  it('refuses a Workspace without standing, and an invalid id', async () => {
    const workspace_id = await service.workspace('Harbor Street Partners', olivia)
    const stranger = service.person('Stranger')
    const named = (id: string) =>
      service.request('/v1/businesses', { token: stranger.token, headers: { 'svc-workspace-id': id } })
    assert.equal((await named(workspace_id)).status, 403)
    assert.equal((await named(crypto.randomUUID())).status, 403)
    assert.equal((await named('x')).status, 400)
  })
})

describe('the provenance of a search', () => {
  let service: TestService
  let olivia: Person
  let workspace_id: string
  let id: string
  const members = {} as Record<'admin' | 'member' | 'viewer', Person>

  before(async () => {
    service = await startTestService()
    olivia = service.person('Olivia')
    for (const role of ['admin', 'member', 'viewer'] as const) members[role] = service.person(role)
    workspace_id = await service.workspace('Harbor Street Partners', olivia, members)
    id = await addBusiness(service, fullRecord)
    await addSource(service, 'registry', id, ['name', 'city'])
    await addSource(service, 'filings', id, ['name', 'founded_on'])
    await addSource(service, 'other', await addBusiness(service, { name: 'Other' }), ['name'])
  })
  after(() => service.close())

  const search = { query: 'glacier' }
  const entry = (source: string, field: string) => ({
    business_id: id,
    field,
    source,
    source_url: `https://${source}.example/data`,
    observed_at: '2026-03-31',
  })

  it('names the sources of the fields on the page', async () => {
    const { provenance } = await olivia.client.searchBusinesses(search)
    assert.deepEqual(provenance, [
      entry('registry', 'city'),
      entry('filings', 'founded_on'),
      entry('filings', 'name'),
      entry('registry', 'name'),
    ])
  })

  it('covers only the requested fields', async () => {
    const { provenance } = await olivia.client.searchBusinesses({ ...search, fields: ['city', 'state'] })
    assert.deepEqual(provenance, [entry('registry', 'city')])
  })

  it('is empty if nothing was found', async () => {
    const { provenance } = await olivia.client.searchBusinesses({ query: 'nothing of the kind' })
    assert.deepEqual(provenance, [])
  })

  for (const role of ['admin', 'member', 'viewer'] as const)
    it(`is for the role ${role}, with and without naming the Workspace`, async () => {
      const { client } = members[role]
      assert.equal((await client.searchBusinesses(search)).provenance?.length, 4)
      assert.equal((await client.searchBusinesses(search, { workspace_id })).provenance?.length, 4)
    })

  it('requires businesses:read of a key', async () => {
    for (const [scopes, permitted] of [
      [['businesses:read'], true],
      [['businesses:write', 'rooms:read'], false],
      [[], false],
    ] as const) {
      const { secret } = await service.apiKey(workspace_id, olivia, scopes)
      const { provenance } = await service.client({ api_key: secret }).searchBusinesses(search)
      assert.equal(provenance !== undefined, permitted, scopes.join())
    }
  })

  it('is hidden from unknown, new and anonymous callers, and former members', async () => {
    const gone = service.person('Gone')
    await service.workspace('Elsewhere', olivia, { member: gone })
    await service.sql(`update memberships set status = 'removed' where user_id = $1`, [gone.user_id])
    const clients = [
      service.anonymous,
      service.person('Newcomer').client,
      service.person('Anonymous', { is_anonymous: true }).client,
      gone.client,
    ]
    for (const client of clients) assert.equal('provenance' in (await client.searchBusinesses(search)), false)
  })

  it('is hidden from a member without businesses:read, unless they have it in another Workspace', async () => {
    const limited = service.person('Limited')
    const limiting = await service.workspace('Limiting', olivia, { member: limited })
    await service.sql(
      `update memberships set permissions = '{"businesses:read": false}' where user_id = $1`,
      [limited.user_id],
    )
    assert.equal((await limited.client.searchBusinesses(search)).provenance, undefined)
    await limited.client.createWorkspace({ name: 'Their own' })
    assert.equal((await limited.client.searchBusinesses(search)).provenance?.length, 4)
    const there = await limited.client.searchBusinesses(search, { workspace_id: limiting })
    assert.equal(there.provenance, undefined)
  })

  it('is hidden from members of a closed Workspace', async () => {
    const last = service.person('Last')
    const closed = await service.workspace('Closed', last)
    await service.sql(`update workspaces set status = 'closed' where id = $1`, [closed])
    assert.equal((await last.client.searchBusinesses(search)).provenance, undefined)
  })
})

const fullRecord = {
  name: 'Glacier Tooling',
  status: 'closed',
  legal_name: 'Glacier Tooling LLC',
  closed_on: '2025-12-31',
  description: 'Makes dies.',
  founded_on: '1999-02-28',
  published_at: '2026-01-02T03:04:05.678Z',
  public_email: 'hello@glacier.example',
  public_phone: '+1 503 555 0100',
  website_url: 'https://glacier.example/',
  locations: [{ state: 'OR', city: 'Portland', line1: '1 Anvil Way', postal_code: '97201' }],
  classifications: [{ code: '332710' }],
} as const
