import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer as bytesOf } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { chromium, type Browser } from 'playwright-core'
import { serveModules } from '../served-modules.ts'
import { startFakeFiles, type FakeFiles } from './fake-files.ts'

const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium'
const skip = !existsSync(executablePath) && `no Chromium at ${executablePath}; set CHROMIUM_PATH to one`

describe('uploadFile in a browser', { skip }, () => {
  let fake: FakeFiles
  let pages: Server
  let browser: Browser
  before(async () => {
    fake = await startFakeFiles()
    pages = serveModules({
      otherwise: (request, response) => void passOn(fake.base_url, request, response),
    })
    await new Promise<void>(resolve => pages.listen(0, '127.0.0.1', resolve))
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  })
  after(async () => {
    await browser.close()
    pages.closeAllConnections()
    await new Promise(resolve => pages.close(resolve))
    await fake.close()
  })

  for (const kind of ['File', 'ReadableStream'] as const)
    it(`sends a ${kind}, and hashes it without Node.js`, async () => {
      fake.react = (part, time) => (part === 2 && time === 1 ? 'expired' : 'take')
      const page = await browser.newPage()
      const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
      await page.goto(origin)
      const code = `(async () => {
        const { createClient, uploadFile } = await import('@wbs/sdk')
        const file = new File([new Uint8Array(300_000).fill(7)], 'plan.pdf', { type: 'application/pdf' })
        const sent = []
        const options = {
          ...${kind === 'File' ? '{}' : "{ name: 'plan.pdf', size_bytes: file.size }"},
          onProgress: ({ sent_bytes }) => sent.push(sent_bytes),
        }
        const client = createClient({ base_url: location.origin, access_token: 'token' })
        const { version } = await uploadFile(client, ${kind === 'File' ? 'file' : 'file.stream()'}, options)
        const ways = performance.getEntriesByType('resource').filter(({ name }) => name.includes('signature='))
        const way = ways[0].initiatorType
        return { version, sent, way, isMonotone: sent.every((bytes, i) => i === 0 || bytes >= sent[i - 1]) }
      })()`
      const { version, sent, way, isMonotone } = await page.evaluate<{
        version: { sha256: string; processing_status: string }
        sent: number[]
        way: string
        isMonotone: boolean
      }>(code)
      // Fetch would not tell how far it is.
      assert.deepEqual([way, isMonotone, sent.at(-1)], ['xmlhttprequest', true, 300_000])
      await page.close()
      const sha256 = createHash('sha256').update(new Uint8Array(300_000).fill(7)).digest('hex')
      assert.deepEqual([version.sha256, version.processing_status], [sha256, 'ready'])
      const created = fake.bodies.findLast(({ name }) => name === 'plan.pdf')
      assert.equal(created?.sha256, kind === 'File' ? sha256 : undefined)
      assert.equal(created?.content_type, 'application/pdf')
    })
})

/** Passes a request on to a service, which so has the origin of the page. */
async function passOn(service: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', headers, url = '' } = request
  const body = await bytesOf(request)
  const passed = ['authorization', 'content-type', 'idempotency-key', 'x-part']
  const answer = await fetch(service + url, {
    method,
    headers: passed.flatMap(name => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
    ...(method !== 'GET' && { body: new Uint8Array(body) }),
  })
  const own = `http://${headers.host}`
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
  response.end((await answer.text()).replaceAll(service, own))
}
