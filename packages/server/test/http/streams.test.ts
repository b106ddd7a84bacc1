import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it } from 'node:test'
import type { Answer, Call } from '../../src/call/call.ts'
import { forbidden } from '../../src/call/problem.ts'
import type { Listener, StreamItem } from '../../src/call/stream-item.ts'
import { eventually } from '../harness/eventually.ts'
import { lines, rawConnection } from './raw-socket.ts'
import { otherToken, startTransport, token } from './test-transport.ts'

const ask = lines('GET /v1/things HTTP/1.1', 'Host: here', `Authorization: Bearer ${token}`)

/** A transport whose stream sends what `items` yields, and records how it ended. */
async function transportOf(
  items: (call: Call) => AsyncGenerator<StreamItem>,
  options: Parameters<typeof startTransport>[0] = {},
) {
  const state = { ended: 0 }
  const run = async (call: Call): Promise<Answer> => {
    call.wait?.begin()
    async function stream(listener: Listener) {
      try {
        for await (const item of items(call)) {
          if (!listener.send([item])) await listener.read()
          if (call.wait?.signal.aborted) return
        }
      } finally {
        state.ended++
      }
    }
    return { status: 200, body: {}, stream, replay: false }
  }
  return { ...(await startTransport({ run, ...options })), state }
}

async function untilOver(waiting: Call['wait']): Promise<void> {
  const over = waiting?.signal ?? assert.fail('The transport does not say when it is over.')
  if (!over.aborted) await new Promise(resolve => over.addEventListener('abort', resolve))
}

/** Everything that a connection received until it was closed. */
async function readAll(base_url: string): Promise<string> {
  const { hostname, port } = new URL(base_url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.write(ask.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}

describe('a stream', () => {
  it('produces no more than its client reads, and ends if nothing is read for a while', async t => {
    let told = 0
    const transport = await transportOf(
      async function* () {
        for (;;) yield { position: String(++told), data: { text: 'x'.repeat(10_000) } }
      },
      { idleTimeout: 500 },
    )
    t.after(() => transport.close())
    const { hostname, port } = new URL(transport.base_url)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.on('error', () => {})
    socket.pause()
    socket.write(ask)
    await eventually(() => transport.state.ended === 1)
    // Fills the buffers of two sockets, and no more.
    assert.ok(told > 0 && told < 2000, String(told))
    socket.destroy()
  })

  it('stays open as long as something is sent now and then', async t => {
    const transport = await transportOf(
      async function* () {
        for (let i = 1; i <= 6; i++) {
          yield { position: String(i) }
          await sleep(300)
        }
      },
      { idleTimeout: 600 },
    )
    t.after(() => transport.close())
    const text = await readAll(transport.base_url)
    assert.match(text, /^HTTP\/1\.1 200 OK\r\n/)
    assert.deepEqual(text.match(/id: \d/g), ['id: 1', 'id: 2', 'id: 3', 'id: 4', 'id: 5', 'id: 6'])
  })

  it('ends at once when its client hangs up, or the service stops', async () => {
    const transport = await transportOf(async function* ({ wait }) {
      yield { position: null }
      await untilOver(wait)
    })
    const gone = await rawConnection(transport.base_url)
    gone.write(ask)
    const here = await rawConnection(transport.base_url)
    here.write(ask)
    await eventually(async () => (await transport.connections()) === 2)
    await sleep(100)
    gone.destroy()
    await eventually(() => transport.state.ended === 1)
    const asked = performance.now()
    await transport.close()
    await here.closed
    assert.equal(transport.state.ended, 2)
    assert.ok(performance.now() - asked < 3000)
  })

  it('ends without a word where it is refused on its way, and in the log where it failed', async t => {
    const errors = [forbidden('No more.'), new Error('It broke.')]
    const transport = await transportOf(async function* () {
      yield { position: '1', data: { text: 'one' } }
      throw errors.shift()
    })
    t.after(() => transport.close())
    for (const faults of [0, 1]) {
      const text = await readAll(transport.base_url)
      assert.ok(text.includes('id: 1\ndata: {"text":"one"}\n\n'))
      assert.ok(!/No more|It broke/.test(text))
      assert.equal(transport.logged.filter(line => line.includes('a request failed')).length, faults)
    }
  })

  it('is not opened for HEAD, which does not wait for its end', async t => {
    const transport = await transportOf(async function* ({ wait }) {
      yield { position: null }
      await untilOver(wait)
    })
    t.after(() => transport.close())
    const response = await fetch(`${transport.base_url}/v1/things`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(response.status, 200)
    await eventually(() => transport.state.ended === 1)
  })

  it('takes a place only while it is opened', async t => {
    const transport = await transportOf(
      async function* ({ wait }) {
        yield { position: null }
        await untilOver(wait)
      },
      { most: { capacity: 5 } },
    )
    t.after(() => transport.close())
    const open = await Promise.all(Array.from({ length: 20 }, () => rawConnection(transport.base_url)))
    for (const one of open) {
      one.write(ask)
      await sleep(5)
    }
    const response = await fetch(`${transport.base_url}/v1/things`, {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(response.status, 200)
    await response.body?.cancel()
    for (const one of open) one.destroy()
    await eventually(() => transport.state.ended === 21)
  })

  it('is refused where as many wait as the node has room for, and nothing else is', async t => {
    const transport = await transportOf(
      async function* ({ wait }) {
        yield { position: null }
        await untilOver(wait)
      },
      { most: { waitingPerNode: 2 } },
    )
    t.after(() => transport.close())
    const open = await Promise.all([0, 1].map(() => rawConnection(transport.base_url)))
    for (const one of open) one.write(ask)
    await eventually(() => transport.usage()['waiting'] === 2)
    const refused = await fetch(`${transport.base_url}/v1/things`, {
      headers: { authorization: `Bearer ${otherToken}` },
    })
    assert.equal(refused.status, 503)
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.equal(((await refused.json()) as { code: string }).code, 'unavailable')
    assert.equal((await fetch(`${transport.base_url}/health`)).status, 200)
    open[0]?.destroy()
    await eventually(() => transport.usage()['waiting'] === 1)
    const again = await rawConnection(transport.base_url)
    again.write(ask)
    await eventually(() => transport.usage()['waiting'] === 2)
    for (const one of [...open, again]) one.destroy()
  })
})
