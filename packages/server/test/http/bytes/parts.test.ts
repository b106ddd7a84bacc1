import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, it, type TestContext } from 'node:test'
import { Problem } from '../../../src/call/problem.ts'
import type { ByteRoutes, PartTarget } from '../../../src/http/bytes/byte-routes.ts'
import type { Limiter } from '../../../src/limits/limiter.ts'
import { eventually } from '../../harness/eventually.ts'
import { assertProblem } from '../problem-check.ts'
import { lines, rawConnection, sendRaw } from '../raw-socket.ts'
import { startTransport, type TestTransport } from '../test-transport.ts'
import { requestLines } from './content.ts'

const path = '/v1/uploads/upl_1/parts/3?signature=abc&expires=9'
const put = (length: number | null, ...headers: string[]) =>
  lines(
    `PUT ${path} HTTP/1.1`,
    'Host: here',
    ...(length === null ? [] : [`Content-Length: ${length}`]),
    ...headers,
  )

/** A store in memory, of parts with this size. */
async function startStore(
  t: TestContext,
  options: Parameters<typeof startTransport>[0] & {
    size?: number
    takePart?: (target: PartTarget) => void | Promise<void>
    write?: ByteRoutes['takePart'] extends (target: PartTarget) => Promise<infer P>
      ? P extends { write: infer W }
        ? W
        : never
      : never
    principal?: string
  } = {},
) {
  const { size = 10, takePart, write, principal, ...settings } = options
  const state = { targets: [] as PartTarget[], stored: [] as Buffer[], received: 0, failed: [] as unknown[] }
  async function keep(body: AsyncIterable<Uint8Array>): Promise<{ etag: string }> {
    const chunks: Uint8Array[] = []
    try {
      for await (const chunk of body) {
        chunks.push(chunk)
        state.received += chunk.length
      }
    } catch (error) {
      state.failed.push(error)
      throw error
    }
    state.stored.push(Buffer.concat(chunks))
    return { etag: '"the-tag"' }
  }
  const byteRoutes: ByteRoutes = {
    async takePart(target) {
      state.targets.push(target)
      await takePart?.(target)
      return {
        size_bytes: size,
        write: write ?? keep,
        ...(principal !== undefined && { principal }),
      }
    },
    openLink: () => Promise.reject(new Error('There are no links.')),
  }
  const transport = await startTransport({ ...settings, byteRoutes })
  t.after(() => transport.close())
  return { ...transport, state }
}

const faults = ({ logged }: TestTransport) => logged.filter(line => line.includes('a request failed'))

describe('a part of an upload', () => {
  it('is stored as it is, whatever its type', async t => {
    const store = await startStore(t)
    for (const header of [
      'X: y',
      'Content-Type: application/json',
      'Content-Type: text/html; charset=latin1',
      'Content-Type: nonsense',
      'Content-Encoding: identity',
    ]) {
      const answer = await sendRaw(store.base_url, put(10, header), '0123456789')
      assert.deepEqual([answer.status, answer.body], [200, ''], header)
      assert.equal(answer.headers['etag'], '"the-tag"')
      assert.equal(answer.headers['content-length'], '0')
      assert.equal(store.state.stored.pop()?.toString(), '0123456789')
    }
    const { query, ...target } = store.state.targets[0] as PartTarget
    assert.deepEqual(target, { upload_id: 'upl_1', part_number: '3', address: '127.0.0.1' })
    assert.deepEqual(
      [...query],
      [
        ['signature', 'abc'],
        ['expires', '9'],
      ],
    )
    await eventually(() => store.usage()['transfers'] === 0)
    assert.equal(requestLines(store)[0]?.['operation'], 'put_part')
    assert.ok(!store.logged.join().includes('signature'))
  })

  it('may be one of many on a connection', async t => {
    const store = await startStore(t)
    const connection = await rawConnection(store.base_url)
    for (let n = 0; n < 20; n++) connection.write(put(10), `body ${n}`.padEnd(10))
    for (let n = 0; n < 20; n++) assert.equal((await connection.answer()).status, 200)
    connection.destroy()
    assert.deepEqual(
      store.state.stored.map(String).sort(),
      Array.from({ length: 20 }, (_, n) => `body ${n}`.padEnd(10)).sort(),
    )
  })

  it('may be empty', async t => {
    const store = await startStore(t, { size: 0 })
    assert.equal((await sendRaw(store.base_url, put(0))).status, 200)
    assert.equal(store.state.stored[0]?.length, 0)
  })

  it('arrives whole if it is large', async t => {
    const part = Buffer.alloc(8 * 1024 * 1024, 'abcdefghijk')
    const store = await startStore(t, { size: part.length })
    const answer = await fetch(store.base_url + path, { method: 'PUT', body: part })
    assert.equal(answer.status, 200)
    assert.ok(store.state.stored[0]?.equals(part))
  })

  const refused: Record<string, [head: string, code: 'validation_error' | 'unsupported_media_type']> = {
    'has no length': [put(null, 'Transfer-Encoding: chunked'), 'validation_error'],
    'has another length': [put(9), 'validation_error'],
    'is larger': [put(1_000_000), 'validation_error'],
    'is encoded': [put(10, 'Content-Encoding: gzip'), 'unsupported_media_type'],
  }
  for (const [what, [head, code]] of Object.entries(refused))
    it(`is refused before its body is read if it ${what}`, async t => {
      const store = await startStore(t)
      const answer = await sendRaw(store.base_url, head)
      const { errors } = assertProblem(answer, code, store.base_url)
      if (code === 'validation_error')
        assert.deepEqual(
          errors?.map(one => [one.in, one.pointer]),
          [['header', '/Content-Length']],
        )
      assert.equal(store.state.stored.length, 0)
    })

  it('is refused in the words of the owner before its body is read, and the connection stays', async t => {
    const store = await startStore(t, {
      takePart: ({ query }) => {
        if (query.get('signature') !== 'abc') throw new Problem('forbidden', 'The URL has expired.', {})
      },
    })
    const connection = await rawConnection(store.base_url)
    connection.write(put(10).replace('abc', 'abd'))
    assertProblem(await connection.answer(), 'forbidden', store.base_url)
    connection.write('0123456789', put(10), '0123456789')
    assert.equal((await connection.answer()).status, 200)
    connection.destroy()
    await eventually(() => store.usage()['transfers'] === 0)
  })

  it('is asked for with 100 after its URL is judged', async t => {
    const store = await startStore(t)
    const connection = await rawConnection(store.base_url)
    connection.write(put(10, 'Expect: 100-continue'))
    assert.equal((await connection.answer()).status, 100)
    assert.equal(store.state.targets.length, 1)
    connection.write('0123456789')
    assert.equal((await connection.answer()).status, 200)
    connection.write(put(9, 'Expect: 100-continue'))
    const refused = await connection.answer()
    assertProblem(refused, 'validation_error', store.base_url)
    assert.equal(refused.headers['connection'], 'close')
    await connection.closed
  })

  it('fails, and nothing is stored, if the client disconnects in the middle', async t => {
    const store = await startStore(t, { size: 1_000_000 })
    const connection = await rawConnection(store.base_url)
    connection.write(put(1_000_000), 'a'.repeat(300_000))
    await eventually(() => store.state.received === 300_000)
    connection.destroy()
    await eventually(() => store.state.failed.length === 1 && store.usage()['transfers'] === 0)
    assert.deepEqual([store.state.stored.length, faults(store).length], [0, 0])
  })

  it('is read no faster than it is stored', async t => {
    const gate = Promise.withResolvers<void>()
    let received = 0
    const size = 64 * 1024 * 1024
    const store = await startStore(t, {
      size,
      // Nobody cuts off a client that waits for the store.
      arrivalRate: { bytes: 1_000_000, milliseconds: 500 },
      idleTimeout: 500,
      async write(body) {
        for await (const chunk of body) {
          received += chunk.length
          if (received > 1024 * 1024) await gate.promise
        }
        return { etag: '"e"' }
      },
    })
    const connection = await rawConnection(store.base_url)
    const before = process.memoryUsage().arrayBuffers
    connection.write(put(size), Buffer.alloc(size))
    await eventually(() => received > 1024 * 1024)
    await sleep(1_500)
    assert.ok(process.memoryUsage().arrayBuffers - before < size + 16 * 1024 * 1024)
    assert.ok(received < 2 * 1024 * 1024)
    gate.resolve()
    assert.equal((await connection.answer()).status, 200)
    assert.equal(received, size)
    connection.destroy()
  })

  it('is a fault where the store fails, and the rest of it is discarded', async t => {
    const size = 1_000_000
    const store = await startStore(t, {
      size,
      async write(body) {
        for await (const _ of body) throw new Error('The disk is full.')
        return { etag: '' }
      },
    })
    const connection = await rawConnection(store.base_url)
    connection.write(put(size), 'a'.repeat(100_000))
    assertProblem(await connection.answer(), 'internal_error')
    connection.write('a'.repeat(900_000), lines('GET /health HTTP/1.1', 'Host: here'))
    assert.equal((await connection.answer()).status, 200)
    assert.equal(faults(store).length, 1)

    // Who does not send the rest is disconnected.
    connection.write(put(size), 'a'.repeat(100_000))
    assertProblem(await connection.answer(), 'internal_error')
    await connection.closed
  })
})

// Run concurrently, since each takes its time.
describe('a part of an upload that arrives slowly', { concurrency: true }, () => {
  const pace = { size: 100, arrivalRate: { bytes: 10, milliseconds: 2_000 }, idleTimeout: 500 }

  it('is stored if it is only slow', async t => {
    const store = await startStore(t, pace)
    const slow = await rawConnection(store.base_url)
    slow.write(put(100))
    for (let n = 0; n < 10; n++) {
      await sleep(600)
      slow.write('0123456789')
    }
    assert.equal((await slow.answer()).status, 200)
    slow.destroy()
  })

  it('gets 408 if it is too slow', async t => {
    const store = await startStore(t, pace)
    const tooSlow = await rawConnection(store.base_url)
    tooSlow.write(put(100))
    const timer = setInterval(() => tooSlow.write('0'), 500)
    t.after(() => clearInterval(timer))
    const answer = await tooSlow.answer()
    const problem = JSON.parse(answer.body) as { code: string; retryable: boolean; status: number }
    assert.deepEqual([answer.status, problem.status, problem.retryable], [408, 408, true])
    await tooSlow.closed
    assert.deepEqual([store.state.failed.length, faults(store).length], [1, 0])
  })

  it('may take longer than other requests', async t => {
    const store = await startStore(t, { size: 7, requestTimeout: 2_000 })
    const connection = await rawConnection(store.base_url)
    connection.write(put(7))
    // Node would end any other request after two seconds, or up to a second later.
    for (let n = 0; n < 6; n++) {
      await sleep(1_000)
      connection.write('a')
    }
    connection.write('a')
    assert.equal((await connection.answer()).status, 200)
    // And the next one has the usual time.
    connection.write(lines('PUT /v1/uploads/1/parts/1 HTTP/1.1', 'Host: here', 'Content-Length: 5'))
    assertProblem(await connection.answer(), 'validation_error')
    assert.ok((await connection.closed) < 60_000)
  })
})

describe('the limits of parts', () => {
  it('are those of transfers: by address, and by whom the URL was made for', async t => {
    for (const transfers of [
      { perCaller: 1, perAddress: 9, perNode: 9 },
      { perCaller: 9, perAddress: 1, perNode: 9 },
      { perCaller: 9, perAddress: 9, perNode: 1 },
    ]) {
      const store = await startStore(t, { most: { transfers }, principal: 'user:1' })
      const connection = await rawConnection(store.base_url)
      connection.write(put(10), '0')
      await eventually(() => store.usage()['transfers'] === 1)
      await eventually(() => store.state.received === 1)
      const refused = await sendRaw(store.base_url, put(10), '0123456789')
      assertProblem(refused, transfers.perNode === 1 ? 'unavailable' : 'rate_limited', store.base_url)
      assert.equal(refused.headers['retry-after'], '1')
      connection.write('123456789')
      assert.equal((await connection.answer()).status, 200)
      await eventually(() => store.usage()['transfers'] === 0)
      connection.destroy()
    }
  })

  it('are counted by address under the policy of content', async t => {
    const counted: unknown[] = []
    const limiter: Limiter = {
      async count({ limits }, { caller, address }) {
        counted.push([limits, caller, address])
        if (counted.length > 1)
          throw new Problem('rate_limited', 'Too many requests.', { 'violated-policies': ['content'] })
        return { ratelimit: '"content";r=0;t=1' }
      },
      judgeCredential: (_credential, _address, judge) => judge(),
      countBadCredential: async () => ({}),
    }
    const store = await startStore(t, { limiter })
    const first = await sendRaw(store.base_url, put(10), '0123456789')
    assert.deepEqual([first.status, first.headers['ratelimit']], [200, '"content";r=0;t=1'])
    assertProblem(await sendRaw(store.base_url, put(10), '0123456789'), 'rate_limited')
    assert.deepEqual(counted, [
      [['content'], null, '127.0.0.1'],
      [['content'], null, '127.0.0.1'],
    ])
    assert.equal(store.state.targets.length, 1)
  })
})
