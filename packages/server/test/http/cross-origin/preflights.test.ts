import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertProblem } from '../problem-check.ts'
import { lines, rawConnection, sendRaw } from '../raw-socket.ts'
import { startTransport, type TestTransport } from '../test-transport.ts'
import { contentOf } from '../bytes/content.ts'

const app = 'https://app.example.com'
const headersAsked =
  'authorization,content-type,idempotency-key,if-match,if-none-match,if-range,last-event-id,range,svc-claim-token,svc-workspace-id,x-svc-api-key'

const preflight = (path: string, method = 'GET', origin: string | null = app, ...more: string[]) =>
  lines(
    `OPTIONS ${path} HTTP/1.1`,
    'Host: here',
    ...(origin === null ? [] : [`Origin: ${origin}`]),
    `Access-Control-Request-Method: ${method}`,
    ...more,
  )

const byteRoutes = {
  takePart: () => Promise.reject(new Error('A preflight is not for a part.')),
  openLink: async () => contentOf(Buffer.from('content')),
}

describe('a preflight', () => {
  let transport: TestTransport
  before(
    async () =>
      void (transport = await startTransport({
        allowedOrigins: [app, 'http://localhost:5173'],
        byteRoutes,
        // Whoever asks has shown nothing yet, so nothing of it may be counted or run.
        limiter: {
          count: () => assert.fail('A preflight is counted.'),
          countFailure: () => assert.fail('A preflight is counted.'),
        } as never,
        run: () => Promise.reject(new Error('A preflight runs nothing.')),
      })),
  )
  after(() => transport.close())
  const ask = (...request: Parameters<typeof preflight>) => sendRaw(transport.base_url, preflight(...request))

  for (const [path, method, methods] of [
    ['/v1/things/1', 'POST', 'GET, HEAD, POST'],
    ['/v1/things/look-up', 'POST', 'GET, HEAD, POST'],
    ['/v1/things', 'GET', 'GET, HEAD'],
    ['/v1/contents/1', 'GET', 'GET, HEAD'],
    ['/v1/uploads/upl_1/parts/3?signature=abc', 'PUT', 'PUT'],
    ['/v1/downloads/a-token', 'GET', 'GET, HEAD'],
    ['/health', 'GET', 'GET, HEAD'],
    ['/openapi.json', 'GET', 'GET, HEAD'],
  ] as const)
    it(`is answered for ${path} with ${methods}`, async () => {
      const { status, headers, body } = await ask(
        path,
        method,
        app,
        `Access-Control-Request-Headers: ${headersAsked}`,
      )
      assert.deepEqual([status, body], [204, ''])
      assert.equal(headers['access-control-allow-origin'], app)
      assert.equal(headers['access-control-allow-methods'], methods)
      assert.equal(headers['access-control-max-age'], '7200')
      assert.equal(headers['vary'], 'Origin')
      assert.equal(headers['access-control-allow-credentials'], undefined)
      assert.equal(headers['content-length'], undefined)
      assert.match(headers['svc-request-id'] ?? '', /^req_/)
      const allowed = (headers['access-control-allow-headers'] ?? '').toLowerCase().split(', ')
      assert.deepEqual(allowed.toSorted(), headersAsked.split(',').toSorted())
    })

  it('is answered to each allowed origin with itself alone', async () => {
    for (const origin of [app, 'http://localhost:5173'])
      assert.equal((await ask('/v1/things/1', 'GET', origin)).headers['access-control-allow-origin'], origin)
  })

  it('allows the methods of the path, whatever it asks for', async () => {
    const { status, headers } = await ask(
      '/v1/things/1',
      'DELETE',
      app,
      'Access-Control-Request-Headers: x-other',
    )
    assert.equal(status, 204)
    assert.equal(headers['access-control-allow-methods'], 'GET, HEAD, POST')
    assert.doesNotMatch(headers['access-control-allow-headers'] ?? '', /x-other/i)
  })

  it('does not allow a page of the internet into a private network beyond what its origin is allowed', async () => {
    const { status, headers } = await ask(
      '/v1/things/1',
      'GET',
      app,
      'Access-Control-Request-Private-Network: true',
    )
    assert.equal(status, 204)
    assert.equal(headers['access-control-allow-private-network'], undefined)
  })

  for (const [who, origin] of [
    ['another origin', 'https://other.example.com'],
    ['the origin over http', 'http://app.example.com'],
    ['the origin on another port', 'https://app.example.com:8443'],
    ['a host that ends with the same letters', 'https://evil-app.example.com'],
    ['a host that begins with the same letters', 'https://app.example.com.evil.example'],
    ['a part of the origin', 'https://app.example'],
    ['the origin in capitals', 'HTTPS://APP.EXAMPLE.COM'],
    ['the origin with a slash', 'https://app.example.com/'],
    ['two origins', `${app}, ${app}`],
    ['null', 'null'],
    ['everybody', '*'],
    ['nobody', ''],
    ['nobody at all', null],
  ] as const)
    it(`of ${who} is a method that the path does not have`, async () => {
      const answer = await ask('/v1/things/1', 'GET', origin)
      assertProblem(answer, 'method_not_allowed', transport.base_url)
      assert.equal(answer.headers['allow'], 'GET, HEAD, POST')
      assert.equal(answer.headers['vary'], 'Origin')
      assert.deepEqual(ofCors(answer.headers), [])
    })

  for (const path of ['/v1/nothing', '/v1/things/', '/v1//things', '*'])
    it(`gets 404 where there is nothing: ${path}`, async () => {
      assertProblem(await ask(path), 'not_found', transport.base_url)
    })

  for (const path of ['/v1/things/%ff', '/v1/things/%zz'])
    it(`gets the problem of a path that is not well formed: ${path}`, async () => {
      assertProblem(await ask(path), 'validation_error', transport.base_url)
    })

  it('is OPTIONS with a method to ask about; other OPTIONS are not allowed', async () => {
    const answer = await sendRaw(
      transport.base_url,
      lines('OPTIONS /v1/things/1 HTTP/1.1', 'Host: here', `Origin: ${app}`),
    )
    assertProblem(answer, 'method_not_allowed', transport.base_url)
    assert.equal(answer.headers['access-control-allow-origin'], app)
  })

  it('leaves its connection open for the request itself', async () => {
    const connection = await rawConnection(transport.base_url)
    connection.write(preflight('/openapi.json'))
    assert.equal((await connection.answer()).status, 204)
    connection.write(lines('GET /openapi.json HTTP/1.1', 'Host: here', `Origin: ${app}`))
    assert.equal((await connection.answer()).status, 200)
    connection.destroy()
  })

  it('takes nothing that others wait for', async () => {
    const before = transport.usage()
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('/v1/things/1', 'POST')))
    assert.ok(answers.every(({ status }) => status === 204))
    assert.deepEqual(transport.usage(), before)
  })
})

describe('without allowed origins', () => {
  it('there are no preflights, and no answer speaks of origins', async t => {
    const transport = await startTransport({ byteRoutes })
    t.after(() => transport.close())
    const refused = await sendRaw(transport.base_url, preflight('/v1/things/1', 'POST'))
    assertProblem(refused, 'method_not_allowed', transport.base_url)
    assertProblem(await sendRaw(transport.base_url, preflight('/v1/nothing')), 'not_found')
    const read = lines('GET /v1/things/1 HTTP/1.1', 'Host: here', `Origin: ${app}`)
    for (const answer of [refused, await sendRaw(transport.base_url, read)]) {
      assert.deepEqual(ofCors(answer.headers), [])
      assert.doesNotMatch(answer.headers['vary'] ?? '', /origin/i)
    }
  })
})

const ofCors = (headers: Record<string, string>) =>
  Object.keys(headers).filter(name => name.startsWith('access-control-'))
