import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { eventually } from '../harness/eventually.ts'
import { lines, rawConnection } from './raw-socket.ts'
import { startTransport, token } from './test-transport.ts'

describe('a client that disconnects', () => {
  let service: TestService
  let olivia: Person
  before(async () => {
    service = await startTestService()
    olivia = service.person('Olivia')
  })
  after(() => service.close())

  const create = (key: string, name: string) => {
    const body = JSON.stringify({ name })
    return `${lines(
      'POST /v1/workspaces HTTP/1.1',
      'Host: here',
      `Authorization: Bearer ${olivia.token}`,
      `Idempotency-Key: ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    )}${body}`
  }
  const named = (name: string) =>
    service.sql<{ id: string }>('select id from workspaces where name = $1', [name])

  it('after its request does not undo the change, and finds its answer under its key', async () => {
    const key = randomUUID()
    const connection = await rawConnection(service.base_url)
    connection.write(create(key, 'Left alone'))
    await eventually(async () => (await named('Left alone'))[0])
    connection.destroy()
    const again = await olivia.client.createWorkspace({ name: 'Left alone' }, { idempotency_key: key })
    assert.equal(again.idempotent_replay, true)
  })

  it('at once does not harm a change that has begun, which happens at most once', async () => {
    for (let n = 0; n < 20; n++) {
      const [key, name] = [randomUUID(), `Left ${n}`]
      const connection = await rawConnection(service.base_url)
      connection.write(create(key, name))
      connection.destroy()
      await olivia.client.createWorkspace({ name }, { idempotency_key: key })
      assert.equal((await named(name)).length, 1)
    }
  })

  it('before its body is whole changes nothing', async () => {
    const connection = await rawConnection(service.base_url)
    connection.write(create(randomUUID(), 'Never whole').slice(0, -1))
    connection.destroy()
    await connection.closed
    await eventually(() => service.logged.some(line => line.includes('HPE_INVALID_EOF_STATE')))
    assert.equal((await named('Never whole')).length, 0)
  })
})

/** A transport whose request waits until it is released. */
async function startWaitingTransport() {
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const transport = await startTransport({
    run: async () => {
      begun.resolve()
      await gate.promise
      return { status: 200, body: { input: {}, request_id: '' }, replay: false }
    },
  })
  return { ...transport, letGo: () => gate.resolve(), begun: begun.promise }
}

describe('a service that stops', () => {
  it('lets running requests end, and closes the connection after them', async () => {
    const transport = await startWaitingTransport()
    const connection = await rawConnection(transport.base_url)
    connection.write(lines('GET /v1/things/1 HTTP/1.1', 'Host: here'))
    await transport.begun
    const closed = transport.close()
    await assert.rejects(fetch(transport.base_url))
    const start = performance.now()
    transport.letGo()
    const answer = await connection.answer()
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['connection'], 'close')
    await Promise.all([closed, connection.closed])
    // Well before an idle connection would time out.
    assert.ok(performance.now() - start < 4_000)
  })

  it('answers all that came over a connection at once, and closes it after the last of them', async () => {
    const transport = await startWaitingTransport()
    const connection = await rawConnection(transport.base_url)
    connection.write(lines('GET /v1/things/1 HTTP/1.1', 'Host: here').repeat(3))
    await transport.begun
    const closed = transport.close()
    await assert.rejects(fetch(transport.base_url))
    transport.letGo()
    const answers = [await connection.answer(), await connection.answer(), await connection.answer()]
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers['connection'] === 'close']),
      [
        [200, false],
        [200, false],
        [200, true],
      ],
    )
    await Promise.all([closed, connection.closed])
  })

  it('does not wait for clients that send nothing, or only a part', async () => {
    const transport = await startTransport()
    const silent = await rawConnection(transport.base_url)
    const halting = await rawConnection(transport.base_url)
    halting.write('GET /health HTTP/1.1\r\nHost: ')
    const used = await rawConnection(transport.base_url)
    used.write(lines('GET /health HTTP/1.1', 'Host: here'))
    await used.answer()
    const start = performance.now()
    await transport.close()
    await Promise.all([silent.closed, halting.closed, used.closed])
    assert.ok(performance.now() - start < 4_000)
  })

  it('waits at most ten seconds for a client that does not send the rest of its body', async () => {
    const transport = await startTransport()
    const slow = await rawConnection(transport.base_url)
    slow.write(
      lines(
        'POST /v1/things/1 HTTP/1.1',
        'Host: here',
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
        'Content-Length: 100',
      ),
    )
    await eventually(async () => (await fetch(`${transport.base_url}/health`)).ok)
    await transport.close()
    assert.ok((await slow.closed) < 15_000)
  })
})
