import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { describe, it, type TestContext } from 'node:test'
import { chromium } from 'playwright-core'
import { Problem } from '../../../src/call/problem.ts'
import type { Bytes } from '../../../src/call/bytes.ts'
import { eventually } from '../../harness/eventually.ts'
import { assertProblem } from '../problem-check.ts'
import { lines, rawConnection, sendRaw } from '../raw-socket.ts'
import { startTransport } from '../test-transport.ts'
import { contentOf, get } from './content.ts'

async function startLinks(
  t: TestContext,
  content: Bytes,
  options: Parameters<typeof startTransport>[0] = {},
) {
  const opened: unknown[] = []
  const transport = await startTransport({
    ...options,
    byteRoutes: {
      takePart: () => Promise.reject(new Error('There are no parts.')),
      async openLink(token, request) {
        opened.push([token, request.address])
        if (token !== 'good') throw new Problem('not_found', 'There is no such link.', {})
        return content
      },
    },
  })
  t.after(() => transport.close())
  return { ...transport, opened }
}

describe('a download link', () => {
  it('leads to content, with ranges and for HEAD, and is told from where it is asked for', async t => {
    const transport = await startLinks(t, contentOf(Buffer.from('0123456789')))
    const whole = await sendRaw(transport.base_url, get('/v1/downloads/good'))
    assert.deepEqual([whole.status, whole.body], [200, '0123456789'])
    const range = await sendRaw(transport.base_url, get('/v1/downloads/good', 'Range: bytes=2-4'))
    assert.deepEqual([range.status, range.body], [206, '234'])
    const head = await sendRaw(transport.base_url, lines('HEAD /v1/downloads/good HTTP/1.1', 'Host: here'))
    assert.deepEqual([head.status, head.headers['content-length']], [200, '10'])
    assert.deepEqual(
      transport.opened,
      Array.from({ length: 3 }, () => ['good', '127.0.0.1']),
    )
    await eventually(() => transport.usage()['transfers'] === 0)
  })

  it('is used before its content is sent, also content of no bytes, and by no other answer', async t => {
    for (const text of ['0123456789', '']) {
      const sending: string[] = []
      const content = contentOf(Buffer.from(text), { beforeSending: async () => void sending.push(text) })
      const transport = await startLinks(t, content)
      const path = '/v1/downloads/good'
      const refused = text === '' ? [] : [[416, get(path, 'Range: bytes=900-')] as const]
      for (const [status, request] of [
        [200, lines(`HEAD ${path} HTTP/1.1`, 'Host: here')] as const,
        [304, get(path, `If-None-Match: "${content.sha256}"`)] as const,
        ...refused,
      ])
        assert.equal((await sendRaw(transport.base_url, request)).status, status)
      assert.deepEqual(sending, [])
      assert.equal((await sendRaw(transport.base_url, get(path))).status, 200)
      assert.deepEqual(sending, [text])
    }
  })

  it('that may not be sent after all is a problem, and its content is closed', async t => {
    const content = contentOf(Buffer.from('0123456789'), {
      beforeSending: () => Promise.reject(new Problem('gone', 'The link was used.', {})),
    })
    const transport = await startLinks(t, content)
    const answer = await sendRaw(transport.base_url, get('/v1/downloads/good'))
    assert.equal(assertProblem(answer, 'gone', transport.base_url).detail, 'The link was used.')
    assert.equal(answer.headers['repr-digest'], undefined)
    await eventually(() => content.opened === 1 && content.closed === 1)
    await eventually(() => transport.usage()['transfers'] === 0)
  })

  it('is repeated neither in a problem nor in the log', async t => {
    const transport = await startLinks(t, contentOf(Buffer.from('a')))
    const answer = await sendRaw(transport.base_url, get('/v1/downloads/canary-4711'))
    const { instance } = assertProblem(answer, 'not_found', transport.base_url)
    assert.equal(instance, '/v1/downloads/{token}')
    assert.ok(!`${answer.body}${transport.logged.join()}`.includes('canary-4711'))
  })

  it('is not opened where there are too many transfers', async t => {
    const content = contentOf(Buffer.alloc(100_000_000))
    const transport = await startLinks(t, content, {
      most: { transfers: { perCaller: 1, perAddress: 1, perNode: 1 } },
    })
    const connection = await rawConnection(transport.base_url)
    connection.write(get('/v1/downloads/good'))
    await eventually(() => transport.opened.length === 1)
    assertProblem(await sendRaw(transport.base_url, get('/v1/downloads/good')), 'rate_limited')
    assert.equal(transport.opened.length, 1)
    connection.destroy()
  })
})

const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium'
const skip = !existsSync(executablePath) && `no Chromium at ${executablePath}; set CHROMIUM_PATH to one`

describe('content in a browser', { skip }, () => {
  const page = '<!doctype html><title>here</title><script>document.title = "ran"; fetch("/v1/ran")</script>'
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>fetch("/v1/ran")</script></svg>'
  for (const [type, name, text] of [
    ['text/html', 'page.html', page],
    ['image/svg+xml', 'image.svg', svg],
    ['text/plain', 'page.txt', page],
  ] as const)
    it(`is saved and not run: ${type}`, async t => {
      const transport = await startLinks(t, contentOf(Buffer.from(text), { name, content_type: type }))
      const browser = await chromium.launch({
        executablePath,
        args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
      })
      t.after(() => browser.close())
      const tab = await browser.newPage()
      const requested: string[] = []
      tab.on('request', request => requested.push(new URL(request.url()).pathname))
      await tab.goto(`${transport.base_url}/docs`)
      const download = tab.waitForEvent('download')
      await assert.rejects(tab.goto(`${transport.base_url}/v1/downloads/good`))
      const saved = await download
      assert.equal(saved.suggestedFilename(), name)
      assert.equal(await readFile(await saved.path(), 'utf8'), text)
      assert.equal(await tab.title(), 'Reference · Workspace Business Service')

      // Nor does another page of the service run it.
      await tab.goto(`${transport.base_url}/problems/gone`)
      const framed = await tab.evaluate(async () => {
        const response = await fetch('/v1/downloads/good').catch(() => null)
        return response === null ? 'blocked' : response.headers.get('content-type')
      })
      assert.notEqual(framed, 'text/html')
      assert.ok(!requested.includes('/v1/ran'))
    })
})
