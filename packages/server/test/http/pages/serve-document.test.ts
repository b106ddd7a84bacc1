import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openApiDocument } from '@wbs/contract/openapi'
import { startTransport, type TestTransport } from '../test-transport.ts'

const content = JSON.stringify(openApiDocument())

describe('a document', () => {
  let transport: TestTransport
  before(async () => void (transport = await startTransport()))
  after(() => transport.close())

  /** Sends exactly these headers: `fetch` would add Accept-Encoding and decode the answer. */
  const ask = async (
    headers: Record<string, string> = {},
    { method = 'GET', path = '/openapi.json' } = {},
  ) => {
    const [answer] = (await once(
      request(transport.base_url + path, { method, headers, agent: false }).end(),
      'response',
    )) as [IncomingMessage]
    return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) }
  }

  for (const [coding, decode] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    [undefined, (body: Buffer) => body],
  ] as const)
    it(`is sent with ${coding ?? 'no coding'} to whoever accepts it`, async () => {
      const answer = await ask(coding && { 'accept-encoding': coding })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers['content-encoding'], coding)
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
      assert.equal(answer.headers['content-length'], String(answer.body.length))
      assert.equal(answer.headers.vary, 'Accept-Encoding')
      assert.equal(answer.headers['cache-control'], 'public, no-cache')
      assert.equal(decode(answer.body).toString(), content)
      assert.ok(coding === undefined || answer.body.length < content.length / 10)
    })

  it('has an entity tag for each coding, which is a hash of the bytes that are sent', async () => {
    const tags = new Set<string>()
    for (const coding of ['br', 'gzip', 'identity']) {
      const { headers, body } = await ask({ 'accept-encoding': coding })
      assert.equal(headers.etag, `"${createHash('sha256').update(body).digest('base64url')}"`)
      tags.add(headers.etag)
    }
    assert.equal(tags.size, 3)
  })

  for (const coding of ['br', 'gzip', 'identity'])
    it(`is not sent again with ${coding} to a client that has it`, async () => {
      const { headers } = await ask({ 'accept-encoding': coding })
      for (const known of [headers.etag, `W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
        const again = await ask({ 'accept-encoding': coding, 'if-none-match': known as string })
        assert.equal(again.status, 304)
        assert.equal(again.body.length, 0)
        assert.equal(again.headers.etag, headers.etag)
        assert.equal(again.headers.vary, 'Accept-Encoding')
        assert.equal(again.headers['cache-control'], 'public, no-cache')
        assert.equal(again.headers['content-encoding'], undefined)
      }
    })

  it('is sent to a client that has another form of it, or another version', async () => {
    const { headers } = await ask({ 'accept-encoding': 'gzip' })
    for (const known of [headers.etag as string, '"older"']) {
      const answer = await ask({ 'accept-encoding': 'br', 'if-none-match': known })
      assert.equal(answer.status, 200)
      assert.equal(brotliDecompressSync(answer.body).toString(), content)
    }
  })

  it('is described by HEAD as GET would send it', async () => {
    for (const coding of ['br', 'identity']) {
      const sent = await ask({ 'accept-encoding': coding })
      const head = await ask({ 'accept-encoding': coding }, { method: 'HEAD' })
      assert.equal(head.status, 200)
      assert.equal(head.body.length, 0)
      for (const name of ['etag', 'vary', 'content-encoding', 'content-length', 'content-type'])
        assert.equal(head.headers[name], sent.headers[name], name)
      const known = { 'accept-encoding': coding, 'if-none-match': sent.headers.etag as string }
      assert.equal((await ask(known, { method: 'HEAD' })).status, 304)
    }
  })

  it('keeps its own policy in a 304, since a cache takes over the headers', async () => {
    const page = await ask({}, { path: '/docs' })
    const again = await ask({ 'if-none-match': page.headers.etag as string }, { path: '/docs' })
    assert.equal(again.status, 304)
    assert.match(String(page.headers['content-security-policy']), /style-src/)
    assert.equal(again.headers['content-security-policy'], page.headers['content-security-policy'])
  })

  it('is sent in full to many who ask for it first at once', async t => {
    const first = await startTransport()
    t.after(() => first.close())
    const headers = { 'accept-encoding': 'br' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => fetch(`${first.base_url}/openapi.json`, { headers })),
    )
    for (const answer of answers) {
      assert.equal(answer.headers.get('content-encoding'), 'br')
      assert.equal(await answer.text(), content)
    }
  })

  for (const path of ['/docs', '/problems/not_found'])
    it(`is served in the same way at ${path}`, async () => {
      const answer = await ask({ 'accept-encoding': 'gzip, br' }, { path })
      assert.equal(answer.headers['content-encoding'], 'br')
      assert.match(brotliDecompressSync(answer.body).toString(), /<!doctype html>/)
      const known = { 'accept-encoding': 'gzip, br', 'if-none-match': answer.headers.etag as string }
      assert.equal((await ask(known, { path })).status, 304)
    })

  it('that is an answer of an operation is not compressed', async () => {
    const answer = await ask({ 'accept-encoding': 'gzip, br' }, { path: '/v1/things/a' })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-encoding'], undefined)
  })
})
