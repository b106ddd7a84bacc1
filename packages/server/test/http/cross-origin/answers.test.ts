import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { forbidden, Problem, unavailable } from '../../../src/call/problem.ts'
import type { Answer, Call } from '../../../src/call/call.ts'
import { contentOf } from '../bytes/content.ts'
import { lines, sendRaw, type RawAnswer } from '../raw-socket.ts'
import { startTransport, token } from '../test-transport.ts'

const app = 'https://app.example.com'
const content = contentOf(Buffer.from('0123456789'))

/** Requests, and the status of their answers. What some of them run is decided by the id of the thing. */
const requests: Record<string, [status: number, ...request: string[]]> = {
  'an answer': [200, 'GET /v1/things/1 HTTP/1.1'],
  'an answer to HEAD': [200, 'HEAD /v1/things/1 HTTP/1.1'],
  'an answer that the client has': [304, 'GET /v1/things/1 HTTP/1.1', 'If-None-Match: "r7"'],
  'an answer to a caller': [200, 'GET /v1/things/1 HTTP/1.1', `Authorization: Bearer ${token}`],
  'a change': [
    201,
    'POST /v1/things/1 HTTP/1.1',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Content-Length: 2',
    '',
    '{}',
  ],
  content: [200, 'GET /v1/contents/1 HTTP/1.1'],
  'a range of content': [206, 'GET /v1/contents/1 HTTP/1.1', 'Range: bytes=2-4'],
  'a range that content does not have': [416, 'GET /v1/contents/1 HTTP/1.1', 'Range: bytes=20-'],
  'content to HEAD': [200, 'HEAD /v1/contents/1 HTTP/1.1'],
  'content that the client has': [304, 'GET /v1/contents/1 HTTP/1.1', `If-None-Match: "${content.sha256}"`],
  'what a link leads to': [200, 'GET /v1/downloads/good HTTP/1.1'],
  'a part': [200, 'PUT /v1/uploads/upl_1/parts/1 HTTP/1.1', 'Content-Length: 2', '', 'ab'],
  'a part without its length': [400, 'PUT /v1/uploads/upl_1/parts/1 HTTP/1.1'],
  'a credential that is not good': [401, 'GET /v1/things/1 HTTP/1.1', 'Authorization: Bearer other'],
  'a refusal': [403, 'GET /v1/things/forbidden HTTP/1.1'],
  'a path without anything': [404, 'GET /v1/nothing HTTP/1.1'],
  'a method that the path does not have': [405, 'DELETE /v1/things/1 HTTP/1.1'],
  'a path that is not well formed': [400, 'GET /v1/things/%ff HTTP/1.1'],
  'a path that is too long': [400, `GET /v1/things/${'a'.repeat(5_000)} HTTP/1.1`],
  'a header that is not well formed': [400, 'GET /v1/things/1 HTTP/1.1', 'Host: here'],
  'a body without a type': [415, 'POST /v1/things/look-up HTTP/1.1', 'Content-Length: 2', '', '{}'],
  'a rate limit': [429, 'GET /v1/things/limited HTTP/1.1'],
  'a fault': [500, 'GET /v1/things/broken HTTP/1.1'],
  'a service that is busy': [503, 'GET /v1/things/busy HTTP/1.1'],
  'a document': [200, 'GET /openapi.json HTTP/1.1'],
  'the root': [200, 'GET / HTTP/1.1', 'Accept: application/json'],
  'the page of a problem': [200, 'GET /problems/not_found HTTP/1.1'],
}

async function run(call: Call, operation: string): Promise<Answer> {
  const thing = call.input.path['thing_id']
  if (thing === 'forbidden') throw forbidden('You may not.')
  if (thing === 'limited')
    throw new Problem('rate_limited', 'Too many.', { 'violated-policies': ['read'] }, { 'retry-after': '3' })
  if (thing === 'busy') throw unavailable('Too busy.')
  if (thing === 'broken') throw new Error('broken')
  if (operation === 'read_content') return { status: 200, body: {}, bytes: content, replay: false }
  if (operation === 'watch_things') return { status: 200, body: {}, stream: async () => {}, replay: false }
  const envelope = {
    request_id: call.request_id,
    original_request_id: call.request_id,
    idempotent_replay: true,
  }
  if (operation === 'change_thing') return { status: 201, body: { input: {}, ...envelope }, replay: true }
  return { status: 200, body: { input: {}, request_id: call.request_id }, replay: false, revision: 7 }
}

async function startHere(t: TestContext, allowedOrigins: string[]): Promise<string> {
  const transport = await startTransport({
    allowedOrigins,
    run,
    byteRoutes: {
      takePart: async () => ({
        size_bytes: 2,
        async write(body) {
          for await (const chunk of body) assert.ok(chunk.length > 0)
          return { etag: '"part"' }
        },
      }),
      openLink: async () => content,
    },
  })
  t.after(() => transport.close())
  return transport.base_url
}

async function send(base_url: string, [first = '', ...more]: string[], origin: string): Promise<RawAnswer> {
  const end = more.indexOf('')
  const [headers, body] = end < 0 ? [more, ''] : [more.slice(0, end), more.slice(end + 1).join('')]
  return sendRaw(base_url, lines(first, 'Host: here', `Origin: ${origin}`, ...headers), body)
}

const names = (list = '') => list.split(',').map(name => name.trim())

describe('the headers for pages of other origins', () => {
  for (const [what, [status, ...request]] of Object.entries(requests))
    it(`are those of an allowed origin alone: ${what}`, async t => {
      const base_url = await startHere(t, [app])
      const allowed = await send(base_url, request, app)
      assert.equal(allowed.status, status)
      assert.equal(allowed.headers['access-control-allow-origin'], app)
      assert.equal(allowed.headers['access-control-allow-credentials'], undefined)
      assert.ok(names(allowed.headers['access-control-expose-headers']).includes('SVC-Request-Id'))
      const other = await send(base_url, request, 'https://other.example.com')
      assert.equal(other.status, status)
      for (const name of Object.keys(other.headers)) assert.doesNotMatch(name, /^access-control-/)
      // A cache must not give one of them to the other.
      for (const { headers } of [allowed, other])
        assert.ok(names(headers['vary']).includes('Origin'), `Vary: ${headers['vary']}`)
    })

  it('are those of a stream too', async t => {
    const base_url = await startHere(t, [app])
    const answer = await fetch(`${base_url}/v1/things`, {
      headers: { origin: app, authorization: `Bearer ${token}`, 'last-event-id': 'a-position' },
    })
    assert.equal(await answer.text(), 'retry: 1000\n\n')
    assert.equal(answer.headers.get('access-control-allow-origin'), app)
    assert.deepEqual(names(answer.headers.get('vary') ?? ''), [
      'Origin',
      'Authorization',
      'X-SVC-API-Key',
      'SVC-Workspace-Id',
    ])
  })

  it('leave in Vary what an answer depends on besides', async t => {
    const base_url = await startHere(t, [app])
    const vary = async (...request: string[]) => names((await send(base_url, request, app)).headers['vary'])
    assert.deepEqual(await vary('GET /openapi.json HTTP/1.1'), ['Origin', 'Accept-Encoding'])
    assert.deepEqual(await vary('GET / HTTP/1.1'), ['Origin', 'Accept'])
    assert.deepEqual(await vary('GET /v1/things/1 HTTP/1.1'), [
      'Origin',
      'Authorization',
      'X-SVC-API-Key',
      'SVC-Workspace-Id',
    ])
    assert.deepEqual(await vary('GET /health HTTP/1.1'), ['Origin'])
  })

  it('let a shared cache keep an answer for everybody apart by origin', async t => {
    const base_url = await startHere(t, [app])
    // A request without an origin, as from another service, may be the first that the cache passes on.
    const first = await sendRaw(base_url, lines('GET /v1/things/1 HTTP/1.1', 'Host: here'))
    assert.equal(first.headers['cache-control'], 'public, max-age=30')
    assert.ok(names(first.headers['vary']).includes('Origin'))
    assert.equal(first.headers['access-control-allow-origin'], undefined)
  })

  it('let pages read every header that steers a client', async t => {
    const base_url = await startHere(t, [app])
    const readable = async (...request: string[]) => {
      const { headers } = await send(base_url, request, app)
      const exposed = new Set(names(headers['access-control-expose-headers']).map(name => name.toLowerCase()))
      return Object.keys(headers).filter(name => exposed.has(name))
    }
    const always = ['svc-request-id', 'svc-api-version', 'svc-version']
    for (const [request, expected] of [
      [requests['an answer'], ['etag']],
      [requests['a change'], ['idempotent-replayed']],
      [requests['a part'], ['etag']],
      [requests['a credential that is not good'], ['www-authenticate']],
      [requests['a rate limit'], ['retry-after']],
      [
        requests['a range of content'],
        ['accept-ranges', 'content-disposition', 'content-range', 'etag', 'repr-digest'],
      ],
      [requests['a range that content does not have'], ['content-range']],
    ] as const)
      assert.deepEqual(
        (await readable(...(request?.slice(1) as string[]))).sort(),
        [...always, ...expected].sort(),
      )
  })
})
