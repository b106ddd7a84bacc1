import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { serveMetrics } from '../../src/telemetry/metrics-server.ts'
import { claimPort } from '../../src/http/port.ts'

const closed = (socket: Socket) =>
  new Promise<void>(resolve => (socket.closed ? resolve() : socket.once('close', () => resolve())))

/** A server whose texts are counted, and that lets a scrape last for half a second. */
async function serve(t: TestContext, { keep = 0, text = async () => 'one 1\n' } = {}) {
  const port = await claimPort('127.0.0.1', 0)
  const read = t.mock.fn(text)
  const server = await serveMetrics({ host: '127.0.0.1', port, text: read, keep, longestScrape: 500 })
  t.after(() => server.close())
  return {
    ask: (path = '/metrics', init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init),
    reads: () => read.mock.callCount(),
    async open(): Promise<Socket> {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      t.after(() => socket.destroy())
      await once(socket, 'connect')
      return socket
    },
  }
}

describe('the port of the metrics', () => {
  it('answers GET and HEAD of /metrics, and nothing else', async t => {
    const { ask, reads } = await serve(t)
    const got = await ask()
    assert.equal(got.status, 200)
    assert.equal(got.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
    assert.equal(await got.text(), 'one 1\n')
    const head = await ask('/metrics', { method: 'HEAD' })
    assert.equal(head.status, 200)
    assert.equal(await head.text(), '')
    assert.equal((await ask('/metrics?name[]=one')).status, 200)
    for (const path of ['/', '/metrics/', '/ready', '/v1/workspaces', '//metrics'])
      assert.equal((await ask(path)).status, 404, path)
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const refused = await ask('/metrics', { method })
      assert.equal(refused.status, 405, method)
      assert.equal(refused.headers.get('allow'), 'GET, HEAD')
    }
    assert.equal(reads(), 3)
  })

  it('reads the metrics once for many who ask at the same time or soon after', async t => {
    const { ask, reads } = await serve(t, { keep: 60_000 })
    await Promise.all(Array.from({ length: 10 }, async () => (await ask()).text()))
    await ask()
    assert.equal(reads(), 1)
  })

  it('says that it cannot read them, and reads them again for the next', async t => {
    let failing = true
    const { ask } = await serve(t, {
      text: async () => {
        if (failing) throw new Error('a secret')
        return 'one 1\n'
      },
    })
    const failed = await ask()
    assert.equal(failed.status, 500)
    assert.equal(await failed.text(), 'The metrics could not be read.\n')
    failing = false
    assert.equal((await ask()).status, 200)
  })

  it('closes connections that send nothing, too slowly, or do not read', async t => {
    const { open } = await serve(t, { text: async () => 'x'.repeat(50_000_000) })
    const [silent, slow, deaf] = await Promise.all([open(), open(), open()])
    const dribble = setInterval(() => slow.write('x'), 50)
    t.after(() => clearInterval(dribble))
    slow.write('GET /metrics HTTP/1.1\r\nx-slow: ')
    deaf.write('GET /metrics HTTP/1.1\r\nhost: here\r\n\r\n')
    deaf.pause()
    silent.resume()
    slow.resume()
    await Promise.all([closed(silent), closed(slow)])
    // It reads nothing, so only what it sends tells it that the connection has ended. Empty lines are no request.
    const poke = setInterval(() => deaf.write('\r\n'), 50)
    t.after(() => clearInterval(poke))
    await closed(deaf)
  })

  it('refuses more than a few connections, and answers again once they end', async t => {
    const { ask, open } = await serve(t)
    await Promise.all(Array.from({ length: 16 }, open))
    const surplus = await open()
    surplus.resume()
    await closed(surplus)
    for (;;) {
      const answer = await ask().catch(() => null)
      if (answer) return assert.equal(answer.status, 200)
    }
  })
})
