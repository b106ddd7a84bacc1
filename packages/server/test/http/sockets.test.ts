import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../harness/eventually.ts'
import { assertProblem } from './problem-check.ts'
import { lines, rawConnection } from './raw-socket.ts'
import { startTransport, token, type TestTransport } from './test-transport.ts'

const get = (...headers: string[]) => lines('GET /health HTTP/1.1', 'Host: here', ...headers)
const post = (...headers: string[]) =>
  lines(
    'POST /v1/things/1 HTTP/1.1',
    'Host: here',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    ...headers,
  )

describe('bytes that are not a request', () => {
  let transport: TestTransport
  before(async () => void (transport = await startTransport()))
  after(() => transport.close())

  const malformed: Record<string, string> = {
    'a greeting of TLS': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a method that there is not': lines('FETCH /health HTTP/1.1', 'Host: here'),
    'a method in small letters': lines('get /health HTTP/1.1', 'Host: here'),
    'a version that there is not': lines('GET /health HTTP/9.9', 'Host: here'),
    'no version': lines('GET /health'),
    'a blank in the path': lines('GET /hea lth HTTP/1.1', 'Host: here'),
    'a header without a name': get(': value'),
    'a blank before the colon': get('Header : value'),
    'a header on two lines': get('Header: value\r\n continued'),
    'a line that is not a header': get('not a header'),
    'NUL in a header': get('Header: a\u0000b'),
    'a bare carriage return in a header': get('Header: a\rb'),
    'line feeds alone': 'GET /health HTTP/1.1\nHost: here\n\n',
    'two lengths': post('Content-Length: 2', 'Content-Length: 3'),
    'the same length twice': post('Content-Length: 2', 'Content-Length: 2'),
    'a length below zero': post('Content-Length: -1'),
    'a length that is not a number': post('Content-Length: 2a'),
    'a length and chunks': post('Content-Length: 2', 'Transfer-Encoding: chunked'),
    'chunks that are not last': post('Transfer-Encoding: chunked, gzip'),
    'a coding that there is not': post('Transfer-Encoding: gzip'),
    'chunked, misspelt': post('Transfer-Encoding: xchunked'),
    'a chunk without a size': `${post('Transfer-Encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`,
    'a chunk longer than its size': `${post('Transfer-Encoding: chunked')}1\r\n{}\r\n0\r\n\r\n`,
    'a chunk of more bytes than there are numbers': `${post('Transfer-Encoding: chunked')}fffffffffffffffff\r\n{}`,
  }
  for (const [what, bytes] of Object.entries(malformed))
    it(`gets a problem, and the connection closed, for ${what}`, async () => {
      const connection = await rawConnection(transport.base_url)
      connection.write(Buffer.from(bytes, 'latin1'))
      const answer = await connection.answer()
      assertProblem(answer, 'validation_error', transport.base_url)
      assert.equal(answer.headers['connection'], 'close')
      await connection.closed
    })

  it('gets 431 for headers of more than 16 KiB, and for a path as long', async () => {
    for (const bytes of [
      get(`Header: ${'v'.repeat(17_000)}`),
      get(...Array.from({ length: 2000 }, (_, i) => `X-${i}: ${'v'.repeat(10)}`)),
      lines(`GET /${'p'.repeat(17_000)} HTTP/1.1`, 'Host: here'),
      lines(`GET /health?${'q'.repeat(17_000)} HTTP/1.1`, 'Host: here'),
    ]) {
      const connection = await rawConnection(transport.base_url)
      connection.write(bytes)
      const { status, headers, body } = await connection.answer()
      const problem = JSON.parse(body) as Record<string, unknown>
      assert.equal(status, 431)
      assert.equal(problem['status'], 431)
      assert.equal(problem['retryable'], false)
      assert.equal(problem['request_id'], headers['svc-request-id'])
      assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8')
      await connection.closed
    }
  })

  it('is logged without any of its content', async () => {
    const connection = await rawConnection(transport.base_url)
    connection.write('canary-4711 / HTTP/1.1\r\nAuthorization: canary-4711\r\n\r\n')
    await connection.answer()
    assert.ok(transport.logged.some(line => line.includes('refused before it became a request')))
    assert.ok(!transport.logged.join().includes('canary-4711'))
  })

  it('does not replace the answer to the request before it', async t => {
    const gate = Promise.withResolvers<void>()
    let begun = 0
    const waiting = await startTransport({
      run: async () => {
        begun++
        await gate.promise
        return { status: 201, body: { input: {}, request_id: 'mine' }, replay: false }
      },
    })
    t.after(() => waiting.close())
    const connection = await rawConnection(waiting.base_url)
    connection.write(lines('GET /v1/things/1 HTTP/1.1', 'Host: here').repeat(2), 'nonsense\r\n\r\n')
    await eventually(() => begun === 2)
    connection.write('and more of it')
    gate.resolve()
    for (let n = 0; n < 2; n++) assert.equal((await connection.answer()).status, 201)
    await connection.closed
    await assert.rejects(connection.answer())
  })

  it('does not harm the answer before it on the same connection', async () => {
    const connection = await rawConnection(transport.base_url)
    connection.write(get())
    assert.equal((await connection.answer()).status, 200)
    connection.write('nonsense\r\n\r\n')
    assertProblem(await connection.answer(), 'validation_error')
    await connection.closed
  })
})

describe('a connection', () => {
  let transport: TestTransport
  before(async () => void (transport = await startTransport()))
  after(() => transport.close())

  it('carries many requests, answered in their order', async () => {
    const connection = await rawConnection(transport.base_url)
    for (let n = 0; n < 50; n++) connection.write(lines(`GET /v1/things/${n} HTTP/1.1`, 'Host: here'))
    for (let n = 0; n < 50; n++)
      assert.match((await connection.answer()).body, new RegExp(`"thing_id":"${n}"`))
    connection.destroy()
  })

  it('is closed if the client asks for it', async () => {
    const connection = await rawConnection(transport.base_url)
    connection.write(get('Connection: close'))
    assert.equal((await connection.answer()).headers['connection'], 'close')
    await connection.closed
  })

  it('closes after a thousand requests, with an answer to each', async () => {
    const connection = await rawConnection(transport.base_url)
    for (let n = 1; n < 1000; n++) {
      connection.write(n % 2 === 0 ? get() : lines('GET /v1/things/%ff HTTP/1.1', 'Host: here'))
      assert.notEqual((await connection.answer()).headers['connection'], 'close')
    }
    connection.write(get())
    const last = await connection.answer()
    assert.equal(last.status, 200)
    assert.equal(last.headers['connection'], 'close')
    await connection.closed
  })

  it('answers the first thousand of many pipelined requests, in order, and carries out no more', async t => {
    let carriedOut = 0
    const counting = await startTransport({
      run: async call => {
        carriedOut++
        return { status: 200, body: { input: call.input.path, request_id: '' }, replay: false }
      },
    })
    t.after(() => counting.close())
    const connection = await rawConnection(counting.base_url)
    const request = (n: number) => lines(`GET /v1/things/${n} HTTP/1.1`, 'Host: here')
    connection.write(Array.from({ length: 1_010 }, (_, i) => request(i + 1)).join(''))
    for (let n = 1; n <= 1_000; n++) {
      const { body, headers } = await connection.answer()
      assert.equal((JSON.parse(body) as { input: { thing_id: string } }).input.thing_id, String(n))
      assert.equal(headers['connection'] === 'close', n === 1_000, String(n))
    }
    await connection.closed
    await assert.rejects(connection.answer())
    assert.equal(carriedOut, 1_000)
  })

  it('has sixteen requests carried out at once, and none of those that wait when the client hangs up', async t => {
    const gate = Promise.withResolvers<void>()
    let begun = 0
    const waiting = await startTransport({
      maxQueued: 100,
      run: async () => {
        begun++
        await gate.promise
        return { status: 200, body: { input: {}, request_id: '' }, replay: false }
      },
    })
    t.after(() => (gate.resolve(), waiting.close()))
    const connection = await rawConnection(waiting.base_url)
    connection.write(lines('GET /v1/things/1 HTTP/1.1', 'Host: here').repeat(116))
    await eventually(() => begun === 16)
    const tooMany = await rawConnection(waiting.base_url)
    tooMany.write(lines('GET /v1/things/1 HTTP/1.1', 'Host: here').repeat(17))
    await tooMany.closed
    assert.equal(begun, 32)

    connection.destroy()
    await eventually(async () => (await waiting.connections()) === 0)
    gate.resolve()
    const next = await rawConnection(waiting.base_url)
    next.write(lines('GET /v1/things/1 HTTP/1.1', 'Host: here').repeat(50))
    for (let n = 0; n < 50; n++) assert.equal((await next.answer()).status, 200)
    next.destroy()
    assert.equal(begun, 82)
  })

  it('is not read after the thousandth request', async t => {
    const gate = Promise.withResolvers<void>()
    const waiting = await startTransport({
      run: async () => {
        await gate.promise
        return { status: 200, body: { input: {}, request_id: '' }, replay: false }
      },
    })
    t.after(() => (gate.resolve(), waiting.close()))
    const { hostname, port } = new URL(waiting.base_url)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.on('error', () => {})
    socket.write(lines('GET /v1/things/1 HTTP/1.1', 'Host: here').repeat(1_001))
    await eventually(() => socket.bytesWritten > 0 && socket.writableLength === 0)
    const more = Buffer.alloc(64 * 1024, lines('GET /v1/things/1 HTTP/1.1', 'Host: here'))
    for (let n = 0; n < 512; n++) socket.write(more)
    // The socket buffers of both ends fill up; then nothing moves.
    let left = socket.writableLength
    await eventually(async () => {
      const before = left
      await sleep(1_000)
      left = socket.writableLength
      return left === before
    })
    assert.ok(socket.writableLength > 0)
    socket.destroy()
  })

  it('closes after a thousand requests though the last has a path that cannot be read', async () => {
    const connection = await rawConnection(transport.base_url)
    const wrong = lines('GET /v1/things/%ff HTTP/1.1', 'Host: here')
    connection.write(get().repeat(999), wrong, get())
    for (let n = 1; n < 1_000; n++) assert.equal((await connection.answer()).status, 200)
    const last = await connection.answer()
    assert.deepEqual([last.status, last.headers['connection']], [400, 'close'])
    await connection.closed
  })

  it('stays after a body that could not be read', async () => {
    const connection = await rawConnection(transport.base_url)
    for (const body of ['{', '"\ud800"', '']) {
      connection.write(`${post(`Content-Length: ${Buffer.byteLength(body)}`)}${body}`)
      assertProblem(await connection.answer(), 'validation_error')
    }
    connection.destroy()
  })
})

describe('many connections', () => {
  const isOpen = async (base_url: string) =>
    (
      await rawConnection(base_url)
        .then(one => (one.write(get()), one.answer()))
        .catch(() => null)
    )?.status === 200

  it('are refused beyond the limits of the service and of one address, and accepted again when others have ended', async t => {
    for (const settings of [{ maxConnections: 10 }, { maxConnectionsPerAddress: 10 }]) {
      const transport = await startTransport(settings)
      t.after(() => transport.close())
      const open = await Promise.all(Array.from({ length: 10 }, () => rawConnection(transport.base_url)))
      await eventually(async () => (await transport.connections()) === 10)
      assert.equal(await isOpen(transport.base_url), false)
      await eventually(() => transport.logged.some(line => line.includes('too many connections')))
      for (const one of open) one.destroy()
      await eventually(() => isOpen(transport.base_url))
    }
  })

  it('of one address are not counted where it is a proxy', async t => {
    const transport = await startTransport({
      maxConnectionsPerAddress: 2,
      isProxy: address => address === '127.0.0.1',
    })
    t.after(() => transport.close())
    for (let n = 0; n < 5; n++) assert.equal(await isOpen(transport.base_url), true)
  })
})

// Run concurrently, since each takes as long as the service's timeout.
describe('a slow client', { concurrency: true }, () => {
  let transport: TestTransport
  before(async () => void (transport = await startTransport()))
  after(() => transport.close())

  /** Writes the pieces, then one more byte again and again, and gives the time until the service closes the connection. */
  async function dawdle(
    first: string,
    again: string,
  ): Promise<{ milliseconds: number; status: number | undefined }> {
    const connection = await rawConnection(transport.base_url)
    connection.write(first)
    const timer = setInterval(() => connection.write(again), 400)
    const answer = await connection.answer().catch(() => undefined)
    const milliseconds = await connection.closed
    clearInterval(timer)
    return { milliseconds, status: answer?.status }
  }

  const slow: Record<string, [first: string, again: string]> = {
    'says nothing': ['', ''],
    'sends the request line letter by letter': ['GET /', 'a'],
    'sends headers without end': ['GET /health HTTP/1.1\r\nHost: here\r\n', 'X: y\r\n'],
    'sends the body byte by byte': [post('Content-Length: 1000'), ' '],
    'sends chunks of one byte': [post('Transfer-Encoding: chunked'), '1\r\n \r\n'],
    'announces a body and sends none': [post('Content-Length: 1000'), ''],
  }
  for (const [what, [first, again]] of Object.entries(slow))
    it(`is cut off within 20 seconds when it ${what}`, async () => {
      const { milliseconds, status } = await dawdle(first, again)
      assert.ok(milliseconds < 20_000, `${milliseconds} ms`)
      assert.equal(status, 408)
    })

  it('is cut off within 20 seconds when it sends the body of a refused request byte by byte', async () => {
    const head = lines('POST /v1/things/1 HTTP/1.1', 'Host: here', 'Content-Length: 1000')
    const { milliseconds, status } = await dawdle(head, ' ')
    assert.equal(status, 401)
    assert.ok(milliseconds < 20_000, `${milliseconds} ms`)
  })

  it('is cut off within 20 seconds when it has nothing more to ask', async () => {
    const connection = await rawConnection(transport.base_url)
    connection.write(get())
    await connection.answer()
    assert.ok((await connection.closed) < 20_000)
  })

  it('is disconnected when it does not read its answers', async t => {
    const body = { input: { note: 'a'.repeat(1024 * 1024) }, request_id: '' }
    const generous = await startTransport({
      run: async () => ({ status: 200, body, replay: false }),
      idleTimeout: 1_000,
    })
    t.after(() => generous.close())
    const { hostname, port } = new URL(generous.base_url)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.on('error', () => {})
    socket.pause()
    // Twenty answers of a mebibyte exceed the socket buffers of both ends.
    socket.write(lines('GET /v1/things/1 HTTP/1.1', 'Host: here').repeat(20))
    await eventually(async () => (await generous.connections()) === 1)
    await eventually(async () => (await generous.connections()) === 0)
    socket.destroy()
  })

  it('delays nobody else, in hundreds', async () => {
    const idlers = await Promise.all(Array.from({ length: 700 }, () => rawConnection(transport.base_url)))
    for (const [i, idler] of idlers.entries())
      idler.write(i < 500 ? 'GET /health HTTP/1.1\r\nHost: ' : post('Content-Length: 1000'))
    const start = performance.now()
    for (let n = 0; n < 20; n++) {
      assert.equal((await fetch(`${transport.base_url}/health`)).status, 200)
      assert.equal((await fetch(`${transport.base_url}/v1/things/1`)).status, 200)
    }
    assert.ok(performance.now() - start < 5_000)
    for (const idler of idlers) idler.destroy()
  })
})
