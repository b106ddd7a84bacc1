import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTransport, type TestTransport } from '../../test-transport.ts'
import { linksIn, textOf } from './page-text.ts'

describe('the reference over HTTP', () => {
  let transport: TestTransport
  before(async () => void (transport = await startTransport()))
  after(() => transport.close())

  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(transport.base_url + path, { headers })

  const paths = [
    '/docs',
    '/docs/rooms',
    '/docs/operations/update_room',
    '/docs/schemas',
    '/docs/schemas/Room',
    '/docs/problems',
    '/docs/guide/credentials',
    '/problems/not_found',
  ]
  for (const path of [...paths, '/docs/search?q=room'])
    it(`is a page at ${path}, in which only files of the service can run`, async () => {
      const answer = await ask(path)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
      assert.equal(
        answer.headers.get('content-security-policy'),
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      assert.match(await answer.text(), /^<!doctype html>/)
    })

  for (const path of [...paths, '/docs/reference.css', '/docs/reference.js', '/docs/search.json'])
    it(`does not send ${path} again to a client that has it, and compresses it`, async () => {
      const answer = await ask(path, { 'accept-encoding': 'br' })
      assert.equal(answer.headers.get('content-encoding'), 'br')
      assert.match(answer.headers.get('vary') ?? '', /Accept-Encoding/)
      const etag = answer.headers.get('etag') ?? ''
      assert.match(etag, /^"/)
      const again = await ask(path, { 'accept-encoding': 'br', 'if-none-match': etag })
      assert.deepEqual([again.status, await again.text()], [304, ''])
    })

  for (const path of [
    '/docs/nothing',
    '/docs/operations/paint_room',
    '/docs/operations/Update_Room',
    '/docs/schemas/Nothing',
    '/docs/operations/update_room/more',
    '/problems/nothing',
  ])
    it(`is not_found at ${path}`, async () => {
      const answer = await ask(path)
      assert.equal(answer.status, 404)
      assert.equal(((await answer.json()) as { code: string }).code, 'not_found')
    })

  it('has every page, style and script that the first page leads to', async () => {
    const first = await ask('/docs')
    const urls = linksIn(await first.text()).map(link => new URL(link, first.url))
    const missing = []
    for (const url of new Set(urls.map(({ origin, pathname }) => origin + pathname)))
      if ((await fetch(url)).status !== 200) missing.push(url)
    assert.deepEqual(missing, [])
  })

  describe('the search without script', () => {
    const search = async (query: string) => textOf(await (await ask(`/docs/search?q=${query}`)).text())

    it('finds operations, fields, schemas, problems and chapters', async () => {
      assert.match(await search('archive+room'), /Archive room operation/)
      assert.match(await search('participant_visibility'), /Room\.participant_visibility field/)
      assert.match(await search('valuation+result'), /ValuationResult schema/)
      assert.match(await search('revision_conflict'), /revision_conflict problem/)
      assert.match(await search('credentials'), /Credentials chapter/)
    })

    it('leads to what it finds', async () => {
      const page = await (await ask('/docs/search?q=participant_visibility')).text()
      assert.ok(linksIn(page).includes('../docs/schemas/Room#field-participant_visibility'))
    })

    it('shows the query in the field, and at most 50 results', async () => {
      const page = await (await ask('/docs/search?q=room')).text()
      assert.match(page, /<input[^>]* value="room"/)
      assert.equal(page.match(/<small>(?:operation|field|schema|problem|chapter)<\/small>/g)?.length, 50)
    })

    it('says that nothing was found', async () => {
      assert.match(await search('xyzzy'), /Nothing found for xyzzy\./)
    })

    for (const query of ['', '%20', 'room&q=list', '%00', '%ff', '%'])
      it(`is a page for the query ${JSON.stringify(query)}`, async () => {
        assert.equal((await ask(`/docs/search?q=${query}`)).status, 200)
      })

    it('takes the first 200 characters of a query', async () => {
      const text = await search('y'.repeat(5_000))
      assert.ok(text.includes(`${'y'.repeat(200)}.`) && !text.includes('y'.repeat(201)))
    })

    it('is kept by no cache, because it shows what was asked', async () => {
      assert.equal((await ask('/docs/search?q=room')).headers.get('cache-control'), 'no-store')
    })
  })
})
