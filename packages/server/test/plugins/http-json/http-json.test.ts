import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { ask, host, httpJson, json, localNetwork, startLocalApp, type LocalApp } from './local-app.ts'

describe('http_json', () => {
  let app: LocalApp
  let other: LocalApp
  before(async () => {
    app = await startLocalApp()
    other = await startLocalApp()
  })
  after(async () => {
    await app.close()
    await other.close()
  })
  afterEach(() => app.answers(response => json(response, { ok: true })))

  const base = () => `http://${host}:${app.port}/v2`
  const plugin = (over = {}) => httpJson([`${host}:${app.port}`], localNetwork(over))
  const get = (args = { path: '/orders' }) => ask(plugin(), base(), args)
  const post = (body: unknown = { a: 1 }, idempotency_key: string | null = 'apr_1') =>
    ask(plugin(), base(), { path: '/orders', body }, { operation: 'post', idempotency_key })

  it('gets JSON below its base URL, with a query', async () => {
    app.answers(response => json(response, { orders: [1, 'é'] }))
    const outcome = await get({ path: '/orders/1', query: { status: 'a b&c', n: 1 } } as never)
    assert.deepEqual(outcome, { outcome: 'succeeded', output: { orders: [1, 'é'] } })
    const { method, url, headers, body } = app.received.at(-1) ?? assert.fail()
    assert.deepEqual([method, url, body], ['GET', '/v2/orders/1?status=a+b%26c&n=1', ''])
    assert.deepEqual(headers, {
      host: `${host}:${app.port}`,
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'workspace-business-service',
      connection: 'close',
    })
  })

  it('posts JSON, and sends the key of an approval with whatever that allows', async () => {
    app.answers(response => json(response, { id: 7 }, 201))
    assert.deepEqual(await post({ text: 'é', list: [null] }), { outcome: 'succeeded', output: { id: 7 } })
    const { method, url, headers, body } = app.received.at(-1) ?? assert.fail()
    assert.deepEqual([method, url, body], ['POST', '/v2/orders', '{"text":"é","list":[null]}'])
    assert.deepEqual(
      [headers['idempotency-key'], headers['content-type'], headers['content-length']],
      ['apr_1', 'application/json', String(Buffer.byteLength(body))],
    )
    await post(null, null)
    assert.deepEqual(
      [app.received.at(-1)?.body, app.received.at(-1)?.headers['idempotency-key']],
      ['null', undefined],
    )
    await ask(plugin(), base(), { path: '/a' }, { idempotency_key: 'apr_1' })
    assert.equal(app.received.at(-1)?.headers['idempotency-key'], 'apr_1')
  })

  const statuses: Record<string, readonly number[]> = {
    access_refused: [401],
    refused: [400, 402, 403, 404, 405, 407, 408, 409, 410, 418, 422, 425, 429, 451],
    invalid_answer: [300, 301, 302, 303, 304, 307, 308, 500, 501, 502, 503, 504, 599],
    succeeded: [200, 201, 202, 203, 206],
  }
  for (const [outcome, codes] of Object.entries(statuses))
    it(`means ${outcome} by the statuses ${codes.join(', ')}`, async () => {
      for (const status of codes) {
        app.answers(response => {
          response.writeHead(status, {
            'content-type': 'application/json',
            location: `http://${host}:${other.port}/`,
            'set-cookie': 'canary=1',
          })
          response.end(status === 304 ? undefined : '{"canary":1}')
        })
        for (const call of [get, post]) {
          const { outcome: told, ...rest } = await call()
          assert.equal(told, outcome, String(status))
          if (told !== 'succeeded') assert.ok(!JSON.stringify(rest).includes('canary'))
        }
      }
      assert.equal(other.connections, 0)
    })

  it('gives null for an answer without content', async () => {
    for (const status of [200, 201, 204, 205]) {
      app.answers(response => response.writeHead(status).end())
      assert.deepEqual(await post(), { outcome: 'succeeded', output: null })
    }
  })

  const bodies: [title: string, body: string | Buffer, headers: Record<string, string>, output?: unknown][] =
    [
      [
        'JSON of another name',
        '{"a":1}',
        { 'content-type': 'application/vnd.api+json; charset=UTF-8' },
        { a: 1 },
      ],
      ['a number', ' 7\n', { 'content-type': 'application/json' }, 7],
      [
        'exactly 64 KiB',
        `"${'x'.repeat(65_534)}"`,
        { 'content-type': 'application/json' },
        'x'.repeat(65_534),
      ],
      ['32 levels', '['.repeat(32) + ']'.repeat(32), { 'content-type': 'application/json' }, nested(32)],
      [
        'brackets in a text',
        JSON.stringify(`${'['.repeat(99)}\\"`),
        { 'content-type': 'application/json' },
        `${'['.repeat(99)}\\"`,
      ],
      ['no type', '{"a":1}', {}],
      ['text', '{"a":1}', { 'content-type': 'text/plain' }],
      ['HTML', '<p>', { 'content-type': 'text/html' }],
      ['a type that only begins so', '{}', { 'content-type': 'application/jsonp' }],
      ['another charset', '{}', { 'content-type': 'application/json; charset=utf-16' }],
      ['compression', '{}', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
      ['no JSON', '{"a":1', { 'content-type': 'application/json' }],
      ['a rest', '{} {}', { 'content-type': 'application/json' }],
      ['NaN', 'NaN', { 'content-type': 'application/json' }],
      ['a number that is too large', '[1e999]', { 'content-type': 'application/json' }],
      ['a comment', '{}//', { 'content-type': 'application/json' }],
      ['a byte order mark', '\ufeff{}', { 'content-type': 'application/json' }],
      ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), { 'content-type': 'application/json' }],
      ['33 levels', '['.repeat(33) + ']'.repeat(33), { 'content-type': 'application/json' }],
      ['60,000 levels', '['.repeat(60_000), { 'content-type': 'application/json' }],
      ['more than 64 KiB', `"${'x'.repeat(65_535)}"`, { 'content-type': 'application/json' }],
      ['less than it says', '{}', { 'content-type': 'application/json', 'content-length': '9' }],
    ]
  for (const [title, body, headers, ...output] of bodies)
    it(`${output.length > 0 ? 'takes' : 'refuses'} an answer with ${title}`, async () => {
      app.answers(response => {
        response.writeHead(200, headers)
        response.write(body, () => (headers['content-length'] ? response.destroy() : response.end()))
      })
      const outcome = await post()
      assert.equal(outcome.outcome, output.length > 0 ? 'succeeded' : 'invalid_answer')
      if (output.length > 0) assert.deepEqual(outcome.output, output[0])
    })

  it('stops reading an answer that is too large, announced or endless', async () => {
    let written = 0
    let closed: Promise<void> = Promise.resolve()
    app.answers(response => {
      response.writeHead(200, { 'content-type': 'application/json' })
      closed = new Promise(resolve => response.on('close', resolve))
      const more = () => {
        while (!response.destroyed && response.write('1'.repeat(16_384))) written += 16_384
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    assert.equal((await get()).outcome, 'invalid_answer')
    await closed
    assert.ok(written < 64 * 1024 * 1024, String(written))
    app.answers(response =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 10 ** 9 }).write('['),
    )
    assert.equal((await get()).outcome, 'invalid_answer')
  })

  it('does not know the outcome of what was sent and not answered', async () => {
    const silences: ((response: import('node:http').ServerResponse) => void)[] = [
      response => response.destroy(),
      () => undefined,
      response => void response.socket?.end('SSH-2.0-server\r\n'),
      response => void response.socket?.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}\r\n\r\n{}`),
      response =>
        void response.socket?.end(
          'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
        ),
      response =>
        void response.socket?.end(
          'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
        ),
    ]
    for (const silence of silences) {
      const before = app.received.length
      app.answers(silence)
      const outcome = await ask(
        plugin({ totalTime: 300 }),
        base(),
        { path: '/a', body: 1 },
        { operation: 'post' },
      )
      assert.equal(outcome.outcome, 'outcome_unknown')
      assert.equal(app.received.length, before + 1)
    }
  })

  it('ends when its time is over or its signal is aborted, while an answer drips', async () => {
    const drip = (response: import('node:http').ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    }
    app.answers(drip)
    assert.equal((await ask(plugin({ totalTime: 300 }), base())).outcome, 'invalid_answer')
    const stop = new AbortController()
    const waiting = ask(plugin({ totalTime: 60_000 }), base(), { path: '/a' }, { signal: stop.signal })
    setTimeout(() => stop.abort(), 100)
    assert.equal((await waiting).outcome, 'invalid_answer')
    assert.equal(
      (await ask(plugin(), base(), { path: '/a' }, { signal: AbortSignal.abort() })).outcome,
      'unreachable',
    )
  })

  it('uses no proxy of the environment', async () => {
    const names = [
      'HTTP_PROXY',
      'HTTPS_PROXY',
      'http_proxy',
      'https_proxy',
      'ALL_PROXY',
      'NODE_USE_ENV_PROXY',
    ]
    const saved = names.map(name => [name, process.env[name]] as const)
    try {
      for (const name of names)
        process.env[name] = name.startsWith('NODE') ? '1' : `http://127.0.0.1:${other.port}`
      assert.equal((await get()).outcome, 'succeeded')
    } finally {
      for (const [name, value] of saved)
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
    }
    assert.equal(other.connections, 0)
  })

  it('sends nothing for an operation or arguments that it would refuse', async () => {
    const before = app.connections
    for (const [operation, args] of [
      ['get', { path: '/../x' }],
      ['get', {}],
      ['delete', { path: '/a' }],
      ['constructor', { path: '/a' }],
    ] as const)
      assert.equal((await ask(plugin(), base(), args, { operation })).outcome, 'unreachable')
    assert.equal(app.connections, before)
  })
})

/** An array in an array, so many levels deep. */
function nested(levels: number): unknown {
  return levels === 1 ? [] : [nested(levels - 1)]
}
