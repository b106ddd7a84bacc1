import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTransport, type TestTransport } from '../test-transport.ts'

/** The Accept headers of browsers and programs. */
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

describe('redirects to the reference', () => {
  let transport: TestTransport
  before(async () => void (transport = await startTransport()))
  after(() => transport.close())

  const ask = (path: string, accept = '*/*', method = 'GET') =>
    fetch(transport.base_url + path, { method, headers: { accept }, redirect: 'manual' })

  for (const method of ['GET', 'HEAD'])
    it(`is the root, by ${method}, in a browser`, async () => {
      const answer = await ask('/', browser, method)
      assert.equal(answer.status, 302)
      assert.equal(answer.headers.get('vary'), 'Accept')
      assert.equal(
        new URL(answer.headers.get('location') ?? '', answer.url).href,
        `${transport.base_url}/docs`,
      )
    })

  it('is found by a browser that follows it', async () => {
    const answer = await fetch(`${transport.base_url}/`, { headers: { accept: browser } })
    assert.deepEqual([answer.url, answer.status], [`${transport.base_url}/docs`, 200])
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
  })

  for (const accept of [
    '*/*',
    'application/json',
    'application/json, text/plain, */*',
    'text/*',
    'text/html;q=0, */*',
    'text/html;q=0.5, application/json',
  ])
    it(`is linked at the root for whoever accepts ${accept}`, async () => {
      const answer = await ask('/', accept)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
      assert.equal(answer.headers.get('vary'), 'Accept')
      const { docs_url, openapi_url } = (await answer.json()) as Record<string, string>
      for (const url of [docs_url, openapi_url])
        assert.equal((await fetch(new URL(url ?? '', transport.base_url))).status, 200)
    })

  it('is the target for whoever accepts both HTML and JSON', async () => {
    assert.equal((await ask('/', 'application/json, text/html')).status, 302)
  })

  it('is the reference with a slash behind it', async () => {
    const answer = await ask('/docs/', browser)
    assert.equal(answer.status, 301)
    assert.equal(new URL(answer.headers.get('location') ?? '', answer.url).href, `${transport.base_url}/docs`)
    assert.equal((await fetch(`${transport.base_url}/docs/`)).url, `${transport.base_url}/docs`)
  })
})
