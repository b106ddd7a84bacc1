import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { apiVersion } from '@wbs/contract/system'
import serverPackage from '../../package.json' with { type: 'json' }
import { assertProblem } from './problem-check.ts'
import { sendRaw, lines } from './raw-socket.ts'
import { startTransport, token, type TestTransport } from './test-transport.ts'

const authorization = `Authorization: Bearer ${token}`

describe('the headers of a request', () => {
  let transport: TestTransport
  before(async () => void (transport = await startTransport()))
  after(() => transport.close())

  const get = (...headers: string[]) =>
    sendRaw(transport.base_url, lines('GET /v1/things/1 HTTP/1.1', 'Host: here', ...headers))
  const post = (...headers: string[]) =>
    sendRaw(
      transport.base_url,
      lines('POST /v1/things/1 HTTP/1.1', 'Host: here', authorization, 'Content-Length: 2', ...headers),
      '{}',
    )

  for (const name of ['SVC-Workspace-Id', 'Idempotency-Key', 'Content-Type', 'Content-Encoding'])
    it(`may have ${name} once only, the same value or another, in any case`, async () => {
      for (const [first, second] of [
        ['value', 'value'],
        ['value', 'other'],
        ['', 'value'],
      ]) {
        const answer = await post(`${name}: ${first}`, `${name.toUpperCase()}: ${second}`)
        const { errors } = assertProblem(answer, 'validation_error')
        assert.deepEqual(
          errors?.map(error => [error.in, error.pointer, error.code]),
          [['header', `/${name}`, 'conflict']],
        )
      }
    })

  for (const name of ['Authorization', 'X-SVC-API-Key'])
    it(`may have ${name} once only, because a proxy may judge the other one`, async () => {
      const answer = await get(`${name}: first`, `${name}: second`)
      const { errors } = assertProblem(answer, 'validation_error')
      assert.deepEqual(
        errors?.map(error => [error.in, error.pointer, error.code]),
        [['header', `/${name}`, 'conflict']],
      )
    })

  const accepted = [
    'application/json',
    '*/*',
    'application/*',
    'text/html, application/json;q=0.1',
    'text/html;q=1, */*;q=0.001',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/*;q=0, application/json',
    ' application/json , text/plain',
    '',
  ]
  for (const accept of accepted)
    it(`may accept '${accept}'`, async () => assert.equal((await get(`Accept: ${accept}`)).status, 200))

  const refused = [
    'text/html',
    'application/xml, text/*',
    'application/json;q=0',
    'application/json; q=0.000',
    'application/json;q=0, */*',
    '*/*, application/json;q=0',
    'application/*, */*, application/json;q=0',
    'application/*;q=0',
    '*/*;q=0',
    'application/problem+json',
    'application/jsonp',
    'nonsense',
  ]
  for (const accept of refused)
    it(`get 406 for accepting '${accept}'`, async () => {
      assertProblem(await get(`Accept: ${accept}`), 'not_acceptable', transport.base_url)
    })

  it('may be many, and of any name', async () => {
    const many = Array.from({ length: 200 }, (_, i) => `X-${i}: ${'v'.repeat(20)}`)
    assert.equal((await get(...many, '__proto__: x', 'constructor: y')).status, 200)
  })

  it('may have an unknown expectation', async () => {
    assert.equal((await get('Expect: the-unexpected')).status, 200)
  })

  it('may ask for 100 Continue, and get it', async () => {
    const answer = await post('Content-Type: application/json', 'Expect: 100-continue')
    assert.equal(answer.status, 100)
  })

  it('may ask for another protocol, which is passed over', async () => {
    const answer = await get('Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13')
    assert.equal(answer.status, 200)
  })
})

describe('the headers of an answer', () => {
  let transport: TestTransport
  before(async () => void (transport = await startTransport()))
  after(() => transport.close())

  const get = (...headers: string[]) =>
    sendRaw(transport.base_url, lines('GET /v1/things/1 HTTP/1.1', 'Host: here', ...headers))

  const answers: Record<string, (headers?: Record<string, string>) => Promise<Response>> = {
    'a read': headers => fetch(`${transport.base_url}/v1/things/1`, headers ? { headers } : {}),
    'a change': headers =>
      fetch(`${transport.base_url}/v1/things/1`, {
        method: 'POST',
        body: '{}',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      }),
    'a refusal': headers => fetch(`${transport.base_url}/v1/things/1?unknown=1`, headers ? { headers } : {}),
    'a path that leads nowhere': headers =>
      fetch(`${transport.base_url}/nowhere`, headers ? { headers } : {}),
    'a path that cannot be read': headers =>
      fetch(`${transport.base_url}/v1/things/%ff`, headers ? { headers } : {}),
    health: headers => fetch(`${transport.base_url}/health`, headers ? { headers } : {}),
  }
  for (const [what, ask] of Object.entries(answers)) {
    it(`keep a browser from doing anything with ${what}`, async () => {
      const { headers } = await ask({ origin: 'https://elsewhere.example', cookie: 'a=b' })
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(
        headers.get('content-security-policy'),
        "default-src 'none'; frame-ancestors 'none'; sandbox",
      )
      assert.equal(headers.get('set-cookie'), null)
      for (const [name] of headers) assert.doesNotMatch(name, /^access-control-|^server$|^x-powered-by$/)
    })
    it(`name the versions, and the request, of ${what}`, async () => {
      const answer = await ask({ 'x-request-id': 'of-the-client', 'request-id': 'of-the-client' })
      assert.equal(answer.headers.get('svc-api-version'), apiVersion)
      assert.equal(answer.headers.get('svc-version'), serverPackage.version)
      const request_id = answer.headers.get('svc-request-id') ?? ''
      assert.match(request_id, /^req_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
      const text = await answer.text()
      if (what !== 'health') assert.equal((JSON.parse(text) as { request_id: string }).request_id, request_id)
      assert.ok(![...answer.headers.values(), text].join().includes('of-the-client'))
    })
  }

  it('let shared caches keep a public read without a credential, and nothing else', async () => {
    const anonymous = await fetch(`${transport.base_url}/v1/things/1`)
    assert.equal(anonymous.headers.get('cache-control'), 'public, max-age=30')
    const known = await fetch(`${transport.base_url}/v1/things/1`, {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(known.headers.get('cache-control'), 'private, no-store')
    for (const { headers } of [anonymous, known])
      assert.equal(headers.get('vary'), 'Authorization, X-SVC-API-Key, SVC-Workspace-Id')
  })

  it('say the type and the length of the body', async () => {
    const answer = await fetch(`${transport.base_url}/v1/things/1`)
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(answer.headers.get('content-length'), String((await answer.arrayBuffer()).byteLength))
  })

  describe('carry the revision as ETag', () => {
    const read = (tag?: string) => get(...(tag === undefined ? [] : [`If-None-Match: ${tag}`]))

    it('which a read answers with', async () => assert.equal((await read()).headers['etag'], '"r7"'))

    for (const tag of ['"r7"', 'W/"r7"', '*', ' * ', '"r6", "r7"', '"r6",W/"r7"', '"x" , "r7" '])
      it(`and says 304 to If-None-Match: ${tag}`, async () => {
        const answer = await read(tag)
        assert.equal(answer.status, 304)
        assert.equal(answer.headers['etag'], '"r7"')
        assert.equal(answer.headers['cache-control'], 'public, max-age=30')
        assert.equal(answer.headers['vary'], 'Authorization, X-SVC-API-Key, SVC-Workspace-Id')
        assert.equal(answer.headers['content-type'], undefined)
        assert.ok(answer.headers['svc-request-id'])
      })

    for (const tag of ['"r6"', 'r7', '"R7"', '"r77"', '"v7"', "'r7'", '', 'w/"r7"', '"r7'])
      it(`and says 200 to If-None-Match: ${tag}`, async () => assert.equal((await read(tag)).status, 200))

    it('and says 304 to HEAD too', async () => {
      const answer = await fetch(`${transport.base_url}/v1/things/1`, {
        method: 'HEAD',
        headers: { 'if-none-match': '"r7"' },
      })
      assert.equal(answer.status, 304)
    })
  })
})
