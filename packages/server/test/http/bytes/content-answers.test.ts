import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { eventually } from '../../harness/eventually.ts'
import { assertProblem } from '../problem-check.ts'
import type { TestTransport } from '../test-transport.ts'
import { contentOf, requestLines, startWith } from './content.ts'

const buffer = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 251))
const content = contentOf(buffer)
const tag = `"${content.sha256}"`

describe('an answer with content', () => {
  let transport: TestTransport
  before(async () => void (transport = await startWith(content)))
  after(() => transport.close())

  async function send(headers: Record<string, string> = {}, method = 'GET') {
    const response = await fetch(`${transport.base_url}/v1/contents/1`, { method, headers })
    return {
      status: response.status,
      headers: response.headers,
      body: Buffer.from(await response.arrayBuffer()),
    }
  }

  it('has the whole content, its digest, and headers under which nothing in it runs', async () => {
    const { status, headers, body } = await send()
    assert.equal(status, 200)
    assert.ok(body.equals(buffer))
    const expected = {
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'content-disposition': `attachment; filename="plan.pdf"; filename*=UTF-8''plan.pdf`,
      'content-length': '1000',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'content-type': 'application/pdf',
      'cross-origin-resource-policy': 'same-origin',
      etag: tag,
      'repr-digest': `sha-256=:${Buffer.from(content.sha256, 'hex').toString('base64')}:`,
      vary: 'Authorization, X-SVC-API-Key, SVC-Workspace-Id',
      'x-content-type-options': 'nosniff',
    }
    for (const [name, value] of Object.entries(expected)) assert.equal(headers.get(name), value, name)
    assert.match(headers.get('svc-request-id') ?? '', /^req_/)
  })

  it('is logged like any other answer', async () => {
    const before = requestLines(transport).length
    await send()
    const line = await eventually(() => requestLines(transport)[before])
    assert.deepEqual(
      [line['operation'], line['status'], line['incomplete']],
      ['read_content', 200, undefined],
    )
  })

  it('has the same headers for HEAD, and opens nothing', async () => {
    const whole = await send()
    const { opened } = content
    const head = await send({}, 'HEAD')
    assert.equal(head.status, 200)
    assert.equal(head.body.length, 0)
    const rest = (headers: Headers) =>
      [...headers].filter(([name]) => !['date', 'svc-request-id', 'connection', 'keep-alive'].includes(name))
    assert.deepEqual(rest(head.headers), rest(whole.headers))
    // RFC 9110, 14.2 defines Range for GET only.
    assert.equal((await send({ range: 'bytes=0-1' }, 'HEAD')).status, 200)
    assert.equal(content.opened, opened)
  })

  it('is 304 if the client has the content, and opens nothing', async () => {
    const { opened } = content
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, body } = await send({ 'if-none-match': known, range: 'bytes=0-1' }, method)
        assert.deepEqual([status, body.length], [304, 0], known)
        assert.equal(headers.get('etag'), tag)
        assert.equal(headers.get('content-disposition'), null)
      }
    }
    assert.equal(content.opened, opened)
    assert.equal((await send({ 'if-none-match': '"other"' })).status, 200)
  })

  it('has exactly the range that was requested', async () => {
    const at = fc.nat({ max: 1100 })
    await fc.assert(
      fc.asyncProperty(at, fc.option(at), fc.boolean(), async (first, last, suffix) => {
        const range = suffix ? `-${first}` : `${first}-${last ?? ''}`
        const { status, headers, body } = await send({ range: `bytes=${range}` })
        const isRange = suffix || last === null || last >= first
        const slice = suffix
          ? buffer.subarray(Math.max(0, 1000 - first))
          : buffer.subarray(first, last === null ? 1000 : last + 1)
        if (!isRange) {
          assert.equal(status, 200, range)
          assert.ok(body.equals(buffer))
        } else if (slice.length === 0) assert.equal(status, 416, range)
        else {
          assert.equal(status, 206, range)
          assert.ok(body.equals(slice), range)
          const start = suffix ? Math.max(0, 1000 - first) : first
          assert.equal(headers.get('content-range'), `bytes ${start}-${start + slice.length - 1}/1000`, range)
          assert.equal(headers.get('content-length'), String(slice.length))
          assert.equal(headers.get('etag'), tag)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('is 416, with the size, if there is nothing in the range', async () => {
    for (const range of ['bytes=1000-', 'bytes=-0', 'bytes=99999999999999999999999-']) {
      const { status, headers, body } = await send({ range })
      assertProblem({ status, headers, body: body.toString() }, 'range_not_satisfiable', transport.base_url)
      assert.equal(headers.get('content-range'), 'bytes */1000')
      assert.equal(headers.get('etag'), null)
    }
  })

  it('is the whole content for several ranges, and for a header that is not well formed', async () => {
    for (const range of [
      'bytes=0-1,4-5',
      'bytes=',
      'bytes=-',
      'bytes=a-b',
      'bytes=5-1',
      'bytes=0x1-2',
      'bytes 0-1',
      'items=0-1',
      'bytes=--1',
      'bytes=1-2-3',
      'nonsense',
    ]) {
      const { status, headers, body } = await send({ range })
      assert.deepEqual([status, body.length, headers.get('content-range')], [200, 1000, null], range)
    }
    for (const range of ['BYTES=0-1', 'bytes= 0-1', 'bytes=0-1,'])
      assert.equal((await send({ range })).status, 206, range)
  })

  it('is a range only of the content that If-Range names', async () => {
    const status = async (ifRange: string) => (await send({ range: 'bytes=0-1', 'if-range': ifRange })).status
    assert.equal(await status(tag), 206)
    for (const other of ['"other"', `W/${tag}`, new Date().toUTCString()])
      assert.equal(await status(other), 200, other)
  })
})

describe('empty content', () => {
  it('is sent without being opened, also where a range is requested', async t => {
    const empty = contentOf(Buffer.alloc(0))
    const transport = await startWith(empty)
    t.after(() => transport.close())
    for (const headers of [{}, { range: 'bytes=0-' }, { range: 'bytes=-5' }]) {
      const response = await fetch(`${transport.base_url}/v1/contents/1`, { headers })
      assert.deepEqual([response.status, response.headers.get('content-length')], [200, '0'])
    }
    assert.equal(empty.opened, 0)
  })
})
