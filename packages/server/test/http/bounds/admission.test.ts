import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Answer } from '../../../src/call/call.ts'
import type { HttpTransport } from '../../../src/http/server.ts'
import { eventually } from '../../harness/eventually.ts'
import { assertProblem } from '../problem-check.ts'
import { sendRaw, lines, rawConnection } from '../raw-socket.ts'
import { otherToken, startTransport, token } from '../test-transport.ts'

const read = lines('GET /v1/things/1 HTTP/1.1', 'Host: here')
const change = `${lines(
  'POST /v1/things/1 HTTP/1.1',
  'Host: here',
  `Authorization: Bearer ${token}`,
  'Content-Type: application/json',
  'Content-Length: 2',
)}{}`

/** A transport whose requests wait until they are released. */
async function startFullTransport(capacity: number, settings: Pick<HttpTransport, 'chargedWorkspace'> = {}) {
  const gate = Promise.withResolvers<void>()
  let working = 0
  const run = async (): Promise<Answer> => {
    working++
    await gate.promise
    return {
      status: 200,
      body: { input: {}, request_id: '', original_request_id: '', idempotent_replay: false },
      replay: false,
    }
  }
  const transport = await startTransport({ ...settings, run, most: { capacity } })
  return { ...transport, letGo: () => gate.resolve(), working: () => working }
}

describe('a service with all slots in use', () => {
  it('answers 503 at once with Retry-After, and its health is still available', async t => {
    const transport = await startFullTransport(10)
    t.after(() => (transport.letGo(), transport.close()))
    const waiting = Array.from({ length: 8 }, () => sendRaw(transport.base_url, read))
    await eventually(() => transport.working() === 8)

    const refused = await sendRaw(transport.base_url, read)
    assertProblem(refused, 'unavailable', transport.base_url)
    assert.match(refused.headers['retry-after'] ?? '', /^[1-9]\d*$/)
    // Operations without a handler here are answered by run(), which waits; health must not wait.
    assert.equal(
      (await sendRaw(transport.base_url, lines('GET /problems/unavailable HTTP/1.1', 'Host: here'))).status,
      200,
    )

    transport.letGo()
    for (const answer of await Promise.all(waiting)) assert.equal(answer.status, 200)
    assert.equal((await sendRaw(transport.base_url, read)).status, 200)
  })

  it('admits health checks besides any number of others', async t => {
    const transport = await startFullTransport(2)
    t.after(() => (transport.letGo(), transport.close()))
    const waiting = Array.from({ length: 5 }, () =>
      sendRaw(transport.base_url, lines('GET /health HTTP/1.1', 'Host: here')),
    )
    await eventually(() => transport.working() === 5)
    transport.letGo()
    await Promise.all(waiting)
  })

  it('keeps the last fifth of the places for changes', async t => {
    const transport = await startFullTransport(10)
    t.after(() => (transport.letGo(), transport.close()))
    const waiting = Array.from({ length: 8 }, () => sendRaw(transport.base_url, read))
    await eventually(() => transport.working() === 8)
    waiting.push(sendRaw(transport.base_url, change), sendRaw(transport.base_url, change))
    await eventually(() => transport.working() === 10)
    assertProblem(await sendRaw(transport.base_url, change), 'unavailable')
    transport.letGo()
    await Promise.all(waiting)
  })

  it('gives at most half of its slots to one Workspace', async t => {
    const pat = 'user-pat'
    const chargedWorkspace: HttpTransport['chargedWorkspace'] = caller =>
      caller.user_id === pat ? 'harbor' : 'elsewhere'
    const transport = await startFullTransport(8, { chargedWorkspace })
    t.after(() => (transport.letGo(), transport.close()))
    const waiting = Array.from({ length: 4 }, () => sendRaw(transport.base_url, change))
    await eventually(() => transport.working() === 4)
    const refused = await sendRaw(transport.base_url, change)
    assertProblem(refused, 'rate_limited', transport.base_url)
    assert.equal(refused.headers['retry-after'], '1')
    assert.deepEqual((JSON.parse(refused.body) as Record<string, unknown>)['violated-policies'], ['turns'])

    const others = change.replace(token, otherToken)
    waiting.push(sendRaw(transport.base_url, others), sendRaw(transport.base_url, read))
    await eventually(() => transport.working() === 6)
    transport.letGo()
    for (const { status } of await Promise.all(waiting)) assert.equal(status, 200)
    assert.equal((await sendRaw(transport.base_url, change)).status, 200)
    assert.equal(transport.usage().carried_out, 0)
  })

  it('tells those whom it would refuse anyway why', async t => {
    const transport = await startFullTransport(1)
    t.after(() => (transport.letGo(), transport.close()))
    const waiting = sendRaw(transport.base_url, read)
    await eventually(() => transport.working() === 1)
    assertProblem(
      await sendRaw(
        transport.base_url,
        lines('GET /v1/things/1 HTTP/1.1', 'Host: here', 'Authorization: Bearer garbage'),
      ),
      'unauthenticated',
    )
    transport.letGo()
    await waiting
  })
})

describe('a slot', () => {
  /** More requests than there are slots, one after the other: each must have released its slot. */
  async function assertGivenBack(base_url: string) {
    for (let n = 0; n < 5; n++) assert.notEqual((await sendRaw(base_url, read)).status, 503)
    assert.notEqual((await sendRaw(base_url, change)).status, 503)
  }

  const badRequests: Record<string, string> = {
    'who sent no good credential': lines(
      'GET /v1/things/1 HTTP/1.1',
      'Host: here',
      'Authorization: Bearer garbage',
    ),
    'who sent no credential': lines('POST /v1/things/1 HTTP/1.1', 'Host: here'),
    'who asked wrongly': lines('GET /v1/things/1?unknown=1 HTTP/1.1', 'Host: here'),
    'whose body was malformed': change.replace('{}', '{{'),
    'whose body was too large': change.replace('Content-Length: 2', 'Content-Length: 99999999'),
    'who asked for the head alone': lines('HEAD /v1/things/1 HTTP/1.1', 'Host: here'),
    'who has the answer already': lines('GET /v1/things/1 HTTP/1.1', 'Host: here', 'If-None-Match: "r7"'),
  }
  for (const [who, bytes] of Object.entries(badRequests))
    it(`is released by a client ${who}`, async t => {
      const transport = await startTransport({ most: { capacity: 2 } })
      t.after(() => transport.close())
      for (let n = 0; n < 5; n++) {
        const connection = await rawConnection(transport.base_url)
        connection.write(bytes)
        assert.notEqual((await connection.answer({ head: bytes.startsWith('HEAD') })).status, 503)
        connection.destroy()
      }
      await assertGivenBack(transport.base_url)
    })

  it('is released by a request that failed', async t => {
    const transport = await startTransport({
      most: { capacity: 2 },
      run: () => Promise.reject(new Error('Broken.')),
    })
    t.after(() => transport.close())
    for (let n = 0; n < 5; n++) assertProblem(await sendRaw(transport.base_url, read), 'internal_error')
  })

  it('is released by a client that disconnected in the middle of its body', async t => {
    const transport = await startTransport({ most: { capacity: 2 } })
    t.after(() => transport.close())
    for (let n = 0; n < 6; n++) {
      const connection = await rawConnection(transport.base_url)
      connection.write(change.slice(0, -1))
      connection.destroy()
    }
    await eventually(async () => (await sendRaw(transport.base_url, read)).status !== 503)
    await assertGivenBack(transport.base_url)
  })

  it('is kept by a client that hung up until its work is done', async t => {
    const transport = await startFullTransport(1)
    t.after(() => (transport.letGo(), transport.close()))
    const connection = await rawConnection(transport.base_url)
    connection.write(read)
    await eventually(() => transport.working() === 1)
    connection.destroy()
    await connection.closed
    assertProblem(await sendRaw(transport.base_url, read), 'unavailable')
    transport.letGo()
    await eventually(async () => (await sendRaw(transport.base_url, read)).status === 200)
  })
})
