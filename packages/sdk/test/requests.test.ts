import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createClient, type ClientSettings } from '@wbs/sdk'
import { answer, page, startScriptedServer, type ScriptedServer } from './scripted-server.ts'

const workspace_id = '0190a7a2-0000-7000-8000-000000000001'
const other_id = '0190a7a2-0000-7000-8000-000000000002'

describe('a request of the client', () => {
  let server: ScriptedServer
  before(async () => void (server = await startScriptedServer()))
  after(() => server.close())

  const client = (settings: Partial<ClientSettings> = {}) =>
    createClient({ base_url: server.base_url, ...settings })
  const only = () => {
    assert.equal(server.seen.length, 1)
    return server.seen[0] as (typeof server.seen)[0]
  }

  for (const end of ['', '/', '//', '/prefix', '/prefix/'])
    it(`goes to the path below the base URL, if that ends in '${end}'`, async () => {
      server.script(answer(200, { status: 'ok' }))
      await client({ base_url: server.base_url + end }).health()
      assert.equal(only().url, `${end.replaceAll(/\/+$/g, '')}/health`)
    })

  it('has parameters in the query string, lists joined, what is undefined or null left out', async () => {
    server.script(page([], null))
    await client().searchBusinesses({
      query: 'a & b',
      limit: 5,
      fields: ['id', 'name'],
      state: undefined,
      cursor: null,
    })
    assert.equal(only().url, '/v1/businesses?query=a+%26+b&limit=5&fields=id%2Cname')
    assert.equal(only().method, 'GET')
    assert.equal(only().body, '')
    assert.equal(only().headers['content-type'], undefined)
    assert.equal(only().headers['idempotency-key'], undefined)
  })

  it('has the body of a change as JSON, with a key', async () => {
    server.script(answer(201, {}))
    await client().createWorkspace({ name: 'É' })
    assert.equal(only().method, 'POST')
    assert.deepEqual(JSON.parse(only().body), { name: 'É' })
    assert.equal(only().headers['content-type'], 'application/json')
    assert.equal(only().headers.accept, 'application/json')
  })

  it('has what it was given, known or not, for the service to refuse', async () => {
    server.script(page([], null))
    await client().searchBusinesses({ quary: 'x' } as object)
    assert.equal(only().url, '/v1/businesses?quary=x')
  })

  it('has the claim token of a call, where it reads a valuation', async () => {
    const options = { claim_token: 'clm_1' }
    server.script(answer(200, {}), answer(200, {}))
    await client().getValuation({ valuation_id: `val_${'0'.repeat(32)}` }, options)
    await client().health({}, options)
    assert.deepEqual(
      server.seen.map(({ headers }) => headers['svc-claim-token']),
      ['clm_1', undefined],
    )
  })

  it('has ids escaped in the path', async () => {
    server.script(answer(200, {}))
    await client().getBusiness({ business_id: 'a/b?c#d%é' })
    assert.equal(only().url, '/v1/businesses/a%2Fb%3Fc%23d%25%C3%A9')
  })

  for (const business_id of ['', '.', '..', undefined, 7])
    it(`has no path with '${business_id}' for an id`, async () => {
      server.script(answer(200, {}))
      await assert.rejects(client().getBusiness({ business_id } as { business_id: string }), TypeError)
      assert.equal(server.seen.length, 0)
    })

  it('names the Workspace of the client, the call or the path: the nearest one', async () => {
    server.script(page([], null))
    const inWorkspace = client({ workspace_id })
    await inWorkspace.searchBusinesses()
    await inWorkspace.searchBusinesses({}, { workspace_id: other_id })
    await inWorkspace.listWorkspaceBusinesses({ workspace_id: other_id })
    await client().listWorkspaceBusinesses({ workspace_id })
    assert.deepEqual(
      server.seen.map(request => request.headers['svc-workspace-id']),
      [workspace_id, other_id, other_id, workspace_id],
    )
  })

  it('sends no Workspace header for an operation outside a Workspace', async () => {
    server.script(page([], null), answer(200, {}), answer(201, {}))
    const inWorkspace = client({ workspace_id, access_token: 'token' })
    await inWorkspace.listWorkspaces()
    await inWorkspace.getMe()
    await inWorkspace.createWorkspace({ name: 'A' })
    for (const request of server.seen) assert.equal(request.headers['svc-workspace-id'], undefined)
  })

  it('shows the token or the key, and never both', async () => {
    server.script(answer(200, {}))
    await client({ access_token: 'token' }).getMe()
    await client({ api_key: 'key' }).getMe()
    await client().health()
    assert.deepEqual(
      server.seen.map(({ headers }) => [headers.authorization, headers['x-svc-api-key']]),
      [
        ['Bearer token', undefined],
        [undefined, 'key'],
        [undefined, undefined],
      ],
    )
    assert.throws(() => client({ access_token: 'token', api_key: 'key' }), TypeError)
  })

  it('goes out by the fetch it is given', async () => {
    const urls: string[] = []
    const own: typeof fetch = async input => {
      urls.push(input instanceof Request ? input.url : input.toString())
      return Response.json({ status: 'ok' })
    }
    assert.equal((await createClient({ base_url: 'https://api.example', fetch: own }).health()).status, 'ok')
    assert.deepEqual(urls, ['https://api.example/health'])
  })
})

describe('each', () => {
  let server: ScriptedServer
  before(async () => void (server = await startScriptedServer()))
  after(() => server.close())

  const search = (input = {}) => createClient({ base_url: server.base_url }).searchBusinesses.each(input)
  const ids = async (input = {}) => {
    const found: string[] = []
    for await (const business of search(input)) found.push(business.id)
    return found
  }

  it('yields the items of all pages, past empty ones, and requests nothing after the last', async () => {
    server.script(
      page([{ id: 'a' }, { id: 'b' }], 'c1'),
      page([], 'c2'),
      page([], 'c3'),
      page([{ id: 'c' }], null),
    )
    assert.deepEqual(await ids({ query: 'abc', limit: 2 }), ['a', 'b', 'c'])
    assert.deepEqual(
      server.seen.map(request => request.url),
      ['', '&cursor=c1', '&cursor=c2', '&cursor=c3'].map(
        cursor => `/v1/businesses?query=abc&limit=2${cursor}`,
      ),
    )
  })

  it('begins at the cursor that it is given', async () => {
    server.script(page([{ id: 'b' }], 'c2'), page([], null))
    await ids({ cursor: 'c1' })
    assert.deepEqual(
      server.seen.map(request => request.url),
      ['/v1/businesses?cursor=c1', '/v1/businesses?cursor=c2'],
    )
  })

  it('requests a page only when its items are needed', async () => {
    server.script(page([{ id: 'a' }], 'c1'), page([{ id: 'b' }], null))
    for await (const business of search()) {
      assert.equal(business.id, 'a')
      break
    }
    assert.equal(server.seen.length, 1)
  })

  it('stops at a cursor that does not advance', async () => {
    server.script(page([{ id: 'a' }], 'c1'))
    await assert.rejects(ids(), /does not advance/)
    assert.equal(server.seen.length, 2)
    server.script(page([], null, true))
    await assert.rejects(ids(), /does not advance/)
  })
})
