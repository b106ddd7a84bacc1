import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it, type TestContext } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Bytes } from '../../../src/call/bytes.ts'
import { proofRuns } from '../../harness/proof.ts'
import { eventually } from '../../harness/eventually.ts'
import { rawConnection } from '../raw-socket.ts'
import { otherToken, token, type TestTransport } from '../test-transport.ts'
import { contentOf, endless, get, requestLines, startWith, watched } from './content.ts'

const gibibyte = 1024 ** 3

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** The bytes of objects and buffers that are no garbage. The second collection waits for what the first one frees later. */
function memoryInUse(): number {
  collectGarbage()
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** A source of a gibibyte that counts what was read, and when it closed. */
function largeContent() {
  const read = { bytes: 0, closed: 0 }
  const content: Bytes = {
    ...contentOf(Buffer.alloc(0)),
    size_bytes: gibibyte,
    open: async () => watched(read, endless(Buffer.alloc(256 * 1024), read)),
  }
  return { read, content }
}

/** A connection that asks for content and reads nothing of it. */
function pausedReader(t: TestContext, base_url: string, request = get()) {
  const { hostname, port } = new URL(base_url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  socket.pause()
  socket.write(request)
  t.after(() => socket.destroy())
  return socket
}

const faults = ({ logged }: TestTransport) => logged.filter(line => line.includes('a request failed'))

describe('content that is being sent', () => {
  it('holds no slot, and is given back when the client disconnects', async t => {
    const { read, content } = largeContent()
    const transport = await startWith(content, { most: { capacity: 2 } })
    t.after(() => transport.close())
    const readers = Array.from({ length: 5 }, () => pausedReader(t, transport.base_url))
    await eventually(() => transport.usage()['transfers'] === 5 && read.bytes > 5 * 256 * 1024)
    assert.deepEqual([transport.usage()['carried_out'], transport.usage()['in_flight']], [0, 0])
    for (const one of readers) one.destroy()
    await eventually(() => transport.usage()['transfers'] === 0 && read.closed === 5)
    const lines = await eventually(() => requestLines(transport).length === 5 && requestLines(transport))
    for (const line of lines) assert.equal(line['incomplete'], true)
    assert.deepEqual(faults(transport), [])
  })

  it('is read no faster than the client reads', async t => {
    const { read, content } = largeContent()
    const transport = await startWith(content)
    t.after(() => transport.close())
    const reader = pausedReader(t, transport.base_url)
    let before = -1
    await eventually(async () => {
      if (before === read.bytes && before > 0) return true
      before = read.bytes
      await sleep(300)
      return false
    })
    // The buffers of two sockets, and no more.
    assert.ok(read.bytes < 64 * 1024 * 1024, String(read.bytes))
    reader.destroy()
    await eventually(() => read.closed === 1)
  })

  it('is cut off when the client reads nothing for a while, and not while it reads slowly', async t => {
    const { read, content } = largeContent()
    const transport = await startWith(content, { idleTimeout: 500 })
    t.after(() => transport.close())
    const reader = pausedReader(t, transport.base_url)
    const start = performance.now()
    let received = 0
    // Half a mebibyte at a time, for longer than the patience of the service.
    while (performance.now() - start < 2_000) {
      received += (reader.read() as Buffer | null)?.length ?? 0
      await sleep(20)
    }
    assert.equal(read.closed, 0)
    assert.ok(received > 1024 * 1024)
    await eventually(() => read.closed === 1 && transport.usage()['transfers'] === 0)
  })

  it('is not completed where the source fails, which is logged', async t => {
    const buffer = Buffer.alloc(300_000, 'a')
    const sources: Record<string, () => Readable> = {
      fails: () =>
        Readable.from(
          (function* () {
            yield buffer.subarray(0, 100_000)
            throw new Error('The disk is gone.')
          })(),
        ),
      'ends early': () => Readable.from([buffer.subarray(0, 100_000)]),
    }
    for (const [what, source] of Object.entries(sources)) {
      const state = { closed: 0 }
      const content = contentOf(buffer, { open: async () => watched(state, source()) })
      const transport = await startWith(content)
      t.after(() => transport.close())
      await assert.rejects(
        fetch(`${transport.base_url}/v1/contents/1`).then(response => response.arrayBuffer()),
        /terminated|fetch failed/,
        what,
      )
      await eventually(() => faults(transport).length === 1 && transport.usage()['transfers'] === 0)
      assert.equal(state.closed, 1)
    }
  })

  it('has no byte more than announced where the source has', async t => {
    const buffer = Buffer.alloc(1000, 'a')
    const state = { closed: 0 }
    const content = contentOf(buffer, { open: async () => watched(state, Readable.from([buffer, buffer])) })
    const transport = await startWith(content)
    t.after(() => transport.close())
    const { hostname, port } = new URL(transport.base_url)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.write(get())
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    const body = text.includes('\r\n\r\n') ? text.slice(text.indexOf('\r\n\r\n') + 4) : ''
    assert.ok(buffer.toString().startsWith(body))
    assert.equal(state.closed, 1)
    await eventually(() => faults(transport).length === 1)
  })

  it('is a problem, without the headers of content, where it cannot be opened', async t => {
    const content = contentOf(Buffer.from('a'), { open: () => Promise.reject(new Error('No such file.')) })
    const transport = await startWith(content)
    t.after(() => transport.close())
    const response = await fetch(`${transport.base_url}/v1/contents/1`)
    assert.equal(response.status, 500)
    for (const name of ['etag', 'content-disposition', 'repr-digest', 'accept-ranges'])
      assert.equal(response.headers.get(name), null)
    await response.body?.cancel()
    await eventually(() => transport.usage()['transfers'] === 0)
  })

  it('is closed where the client disconnects while it is being opened', async t => {
    const gate = Promise.withResolvers<void>()
    const state = { opening: 0, closed: 0 }
    const content = contentOf(Buffer.alloc(100_000), {
      async open() {
        state.opening++
        await gate.promise
        return watched(state, Readable.from([Buffer.alloc(100_000)]))
      },
    })
    const transport = await startWith(content)
    t.after(() => transport.close())
    const connection = await rawConnection(transport.base_url)
    connection.write(get())
    await eventually(() => state.opening === 1)
    connection.destroy()
    await eventually(() => transport.usage()['transfers'] === 0)
    gate.resolve()
    await eventually(() => state.closed === 1)
    assert.deepEqual(faults(transport), [])
  })

  it('takes little memory, however large it is', async t => {
    const folder = await mkdtemp(join(tmpdir(), 'content-'))
    t.after(() => rm(folder, { recursive: true }))
    const path = join(folder, 'sparse')
    const size = proofRuns({ full: gibibyte, short: gibibyte / 4 })
    const file = await open(path, 'w')
    await file.truncate(size)
    await file.close()
    const content: Bytes = {
      ...contentOf(Buffer.alloc(0)),
      size_bytes: size,
      open: async () => createReadStream(path, { highWaterMark: 256 * 1024 }),
    }
    const transport = await startWith(content)
    t.after(() => transport.close())
    const most = 100 * 1024 * 1024
    const before = { rss: process.memoryUsage.rss(), inUse: memoryInUse() }
    let isBeyond = false
    const timer = setInterval(() => {
      if (process.memoryUsage.rss() - before.rss < most) return
      // On a busy machine, much of it can be garbage that there was no time to collect.
      isBeyond ||= memoryInUse() - before.inUse >= most
    }, 20)
    const { hostname, port } = new URL(transport.base_url)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.write(get(undefined, 'Connection: close'))
    let received = 0
    for await (const chunk of socket) received += (chunk as Buffer).length
    clearInterval(timer)
    assert.ok(received > size && received < size + 4096)
    assert.ok(!isBeyond)
  })
})

describe('transfers', () => {
  const status = async (base_url: string, by?: string, method = 'GET') => {
    const response = await fetch(`${base_url}/v1/contents/1`, {
      method,
      ...(by !== undefined && { headers: { authorization: `Bearer ${by}` } }),
    })
    const text = await response.text().catch(() => '')
    return { status: response.status, retryAfter: response.headers.get('retry-after'), text }
  }

  for (const [limit, code] of [
    ['perCaller', 429],
    ['perAddress', 429],
    ['perNode', 503],
  ] as const)
    it(`are refused with ${code} beyond ${limit}, and HEAD is not`, async t => {
      const { content } = largeContent()
      const transport = await startWith(content, {
        most: { transfers: { perCaller: 9, perAddress: 9, perNode: 9, [limit]: 2 } },
      })
      t.after(() => transport.close())
      const begin = () =>
        pausedReader(t, transport.base_url, get(undefined, `Authorization: Bearer ${token}`))
      const open = [begin(), begin()]
      await eventually(() => transport.usage()['transfers'] === 2)
      const refused = await status(transport.base_url, token)
      assert.deepEqual([refused.status, refused.retryAfter], [code, '1'])
      if (code === 429) assert.match(refused.text, /"violated-policies":\["transfers"\]/)
      assert.equal((await status(transport.base_url, token, 'HEAD')).status, 200)
      if (limit === 'perCaller')
        assert.equal((await status(transport.base_url, otherToken, 'HEAD')).status, 200)
      open[0]?.destroy()
      await eventually(() => transport.usage()['transfers'] === 1)
      const again = begin()
      await eventually(() => transport.usage()['transfers'] === 2)
      for (const one of [...open, again]) one.destroy()
      await eventually(() => transport.usage()['transfers'] === 0)
    })
})
