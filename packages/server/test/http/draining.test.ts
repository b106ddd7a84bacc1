import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lines, rawConnection } from './raw-socket.ts'
import { startTransport } from './test-transport.ts'

const read = lines('GET /v1/things/1 HTTP/1.1', 'Host: here')

describe('a node that drains', () => {
  it('answers what comes over open connections, and closes each after its next answer', async t => {
    const draining = new AbortController()
    const transport = await startTransport({ draining: draining.signal })
    t.after(() => transport.close())
    const connection = await rawConnection(transport.base_url)
    connection.write(read)
    assert.notEqual((await connection.answer()).headers['connection'], 'close')
    draining.abort()
    const begun = performance.now()
    connection.write(read)
    const last = await connection.answer()
    assert.deepEqual([last.status, last.headers['connection']], [200, 'close'])
    await connection.closed
    // Well before an idle connection would time out.
    assert.ok(performance.now() - begun < 4_000)
  })

  it('takes new connections, and answers all that comes over one at once', async t => {
    const transport = await startTransport({ draining: AbortSignal.abort() })
    t.after(() => transport.close())
    const connection = await rawConnection(transport.base_url)
    connection.write(read)
    assert.deepEqual((await connection.answer()).status, 200)
    await connection.closed
    const another = await fetch(`${transport.base_url}/v1/things/1`)
    assert.deepEqual([another.status, another.headers.get('connection')], [200, 'close'])
  })

  it('leaves an idle connection open, on which a request may be under way', async t => {
    const draining = new AbortController()
    const transport = await startTransport({ draining: draining.signal })
    t.after(() => transport.close())
    const connection = await rawConnection(transport.base_url)
    connection.write(read)
    await connection.answer()
    draining.abort()
    await fetch(`${transport.base_url}/v1/things/1`)
    assert.equal(await transport.connections(), 1)
    connection.write(read)
    assert.equal((await connection.answer()).status, 200)
  })
})
