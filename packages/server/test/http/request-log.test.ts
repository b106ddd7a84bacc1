import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { FinishedRequest } from '../../src/http/answers/finished-request.ts'
import { loggedAddress } from '../../src/http/answers/logged-address.ts'
import { eventually } from '../harness/eventually.ts'
import { lines, rawConnection, sendRaw } from './raw-socket.ts'
import { startTransport, token, type TestTransport } from './test-transport.ts'

type Line = Record<string, unknown>

const read = (transport: TestTransport): Line[] => transport.logged.map(line => JSON.parse(line) as Line)

/** The lines with a request id, once there is one. */
const linesOf = (transport: TestTransport, request_id: unknown) =>
  eventually(() => {
    const found = read(transport).filter(line => line['request_id'] === request_id)
    return found.length > 0 && found
  })

describe('the line of a request', () => {
  let transport: TestTransport
  before(async () => void (transport = await startTransport()))
  after(() => transport.close())

  async function lineFor(path: string, init: RequestInit = {}): Promise<Line> {
    const answer = await fetch(`${transport.base_url}${path}`, init)
    await answer.text()
    const found = await linesOf(transport, answer.headers.get('svc-request-id'))
    assert.equal(found.length, 1)
    const { level, time: _time, pid: _pid, hostname: _hostname, ms, ...line } = found[0] as Line
    assert.equal(level, 30)
    assert.ok(typeof ms === 'number' && ms > 0 && ms < 20_000)
    return line
  }

  it('says which operation it was, of whom, in which Workspace, and how it ended', async () => {
    const workspace_id = randomUUID()
    const { request_id, ...line } = await lineFor('/v1/things/4711?note=canary', {
      headers: { authorization: `Bearer ${token}`, 'svc-workspace-id': workspace_id.toUpperCase() },
    })
    assert.match(String(request_id), /^req_/)
    assert.deepEqual(line, {
      msg: 'request',
      operation: 'read_thing',
      method: 'GET',
      path_pattern: '/v1/things/{thing_id}',
      status: 200,
      principal: 'user:user-pat',
      workspace_id,
    })
  })

  it('has the code of the problem if it was refused', async () => {
    const line = await lineFor('/v1/things/1', { headers: { authorization: 'Bearer wrong' } })
    assert.deepEqual([line['status'], line['problem_code']], [401, 'unauthenticated'])
  })

  it('has no Workspace that is not a UUID', async () => {
    for (const wrong of ['canary', `${randomUUID()} x`, `${randomUUID()}, ${randomUUID()}`]) {
      const line = await lineFor('/v1/things/1', { headers: { 'svc-workspace-id': wrong } })
      assert.equal(line['workspace_id'], undefined)
    }
  })

  it('has neither path nor operation if there is nothing there, and the pattern alone if there is', async () => {
    const { request_id: _, ...line } = await lineFor('/v1/canary-4711')
    assert.deepEqual(line, { msg: 'request', method: 'GET', status: 404, problem_code: 'not_found' })
    const document = await lineFor('/openapi.json')
    assert.deepEqual([document['path_pattern'], document['operation']], ['/openapi.json', undefined])
  })

  it('is left out for a probe that finds the node well', async () => {
    const answer = await fetch(`${transport.base_url}/health`)
    await answer.text()
    await lineFor('/v1/things/1')
    const request_id = answer.headers.get('svc-request-id')
    assert.equal(
      read(transport).some(line => line['request_id'] === request_id),
      false,
    )
  })

  it('has the request id that was told to whoever sent no request', async () => {
    const answer = await sendRaw(transport.base_url, 'canary-4711 is no request\r\n\r\n')
    const { request_id } = JSON.parse(answer.body) as { request_id: string }
    const [line] = await linesOf(transport, request_id)
    assert.deepEqual(
      [line?.['msg'], line?.['status'], line?.['problem_code'], line?.['parser_code']],
      ['refused before it became a request', 400, 'validation_error', 'HPE_INVALID_METHOD'],
    )
    assert.ok(!transport.logged.join().includes('4711 is'))
  })

  it('cannot be forged: each is one line of JSON, whatever headers there are', async () => {
    const before = transport.logged.length
    const escape = '\u001b[31m'
    const head = [
      `GET /v1/things/%0A%7B%22level%22:60%7D?note=%0D%0Aforged HTTP/1.1`,
      'Host: here',
      `User-Agent: ${escape}forged {"level":60}`,
      `SVC-Workspace-Id: ${escape}forged`,
      `X-Request-Id: forged`,
      `X-Forwarded-For: forged`,
      `X-Long: ${'forged'.repeat(2_000)}`,
    ]
    const answer = await sendRaw(transport.base_url, lines(head[0] as string, ...head.slice(1)))
    await linesOf(transport, answer.headers['svc-request-id'])
    const written = transport.logged.slice(before)
    for (const line of written) {
      assert.match(line, /^\{[\x20-\x7e]*\}\n$/)
      assert.ok(!line.includes('forged'))
    }
  })
})

describe('the facts of a finished request', () => {
  async function startWith(options: Parameters<typeof startTransport>[0]) {
    const finished: FinishedRequest[] = []
    const transport = await startTransport({ ...options, onFinished: [one => void finished.push(one)] })
    return { ...transport, finished }
  }

  it('are told once, also if a listener fails, which is logged', async t => {
    const finished: FinishedRequest[] = []
    const fail = () => {
      throw new Error('No.')
    }
    const transport = await startTransport({ onFinished: [fail, one => void finished.push(one)] })
    t.after(() => transport.close())
    await (await fetch(`${transport.base_url}/v1/things/1`)).text()
    await eventually(() => finished.length === 1)
    assert.equal(finished[0]?.path_pattern, '/v1/things/{thing_id}')
    assert.ok(transport.logged.some(line => line.includes('a finished request could not be recorded')))
  })

  it('say that an answer is the stored one', async t => {
    const envelope = { request_id: 'a', original_request_id: 'b', idempotent_replay: true }
    const transport = await startWith({
      run: async () => ({ status: 201, body: { input: {}, ...envelope }, replay: true }),
    })
    t.after(() => transport.close())
    await fetch(`${transport.base_url}/v1/things/1`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: '{}',
    })
    const [one] = await eventually(() => transport.finished.length > 0 && transport.finished)
    assert.deepEqual([one?.status, one?.replayed, one?.operation], [201, true, 'change_thing'])
  })

  it('have status 499 if the client left before the answer', async t => {
    const begun = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const transport = await startWith({
      run: async () => {
        begun.resolve()
        await gate.promise
        return { status: 200, body: { input: {}, request_id: '' }, replay: false }
      },
    })
    t.after(() => transport.close())
    const connection = await rawConnection(transport.base_url)
    connection.write(lines('GET /v1/things/1 HTTP/1.1', 'Host: here'))
    await begun.promise
    connection.destroy()
    const [one] = await eventually(() => transport.finished.length > 0 && transport.finished)
    assert.deepEqual([one?.status, one?.incomplete, one?.operation], [499, true, 'read_thing'])
    gate.resolve()
  })

  it('of a stream come at its end', async t => {
    const end = Promise.withResolvers<void>()
    const transport = await startWith({
      run: async () => ({ status: 200, body: {}, stream: () => end.promise, replay: false }),
    })
    t.after(() => transport.close())
    const answer = await fetch(`${transport.base_url}/v1/things`, {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(answer.status, 200)
    assert.deepEqual(transport.finished, [])
    end.resolve()
    await answer.text()
    const [one] = await eventually(() => transport.finished.length > 0 && transport.finished)
    assert.deepEqual([one?.operation, one?.status, one?.incomplete], ['watch_things', 200, false])
  })
})

describe('the address of a client', () => {
  it('is logged in the form that the settings allow', () => {
    for (const [address, network] of [
      ['192.0.2.77', '192.0.2.0/24'],
      ['::ffff:192.0.2.77', '192.0.2.0/24'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
      ['fe80::1%eth0', 'fe80::/48'],
    ] as const) {
      assert.equal(loggedAddress('off', address), undefined)
      assert.equal(loggedAddress('network', address), network)
    }
    assert.equal(loggedAddress('on', '::ffff:192.0.2.77'), '192.0.2.77')
    assert.equal(loggedAddress('on', '2001:db8::1'), '2001:db8::1')
  })

  it('is that which a trusted proxy names, if it is an address at all', async t => {
    const transport = await startTransport({ loggedAddresses: 'on', trustedProxies: ['127.0.0.1'] })
    t.after(() => transport.close())
    for (const [forwarded, logged] of [
      ['198.51.100.7', '198.51.100.7'],
      ['canary-4711', 'unknown'],
    ] as const) {
      const answer = await fetch(`${transport.base_url}/v1/things/1`, {
        headers: { 'x-forwarded-for': forwarded },
      })
      const [line] = await linesOf(transport, answer.headers.get('svc-request-id'))
      assert.equal(line?.['client_address'], logged)
    }
  })
})
