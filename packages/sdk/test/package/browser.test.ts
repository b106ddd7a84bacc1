import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { chromium, type Browser } from 'playwright-core'
import {
  sampleDataFolder,
  type DataFolder,
  type ServiceProcess,
} from '../../../server/test/harness/process.ts'
import { assertSeen } from './assert-seen.ts'
import type { Seen } from './outside/work-in-room.ts'
import { bundle, compile, packSdk, type PackedSdk } from './packed-sdk.ts'

const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium'
const skip = !existsSync(executablePath) && `no Chromium at ${executablePath}; set CHROMIUM_PATH to one`

describe('a web app of another origin, with the installed SDK', { skip }, () => {
  let data: DataFolder
  let service: ServiceProcess
  let sdk: PackedSdk
  let app: Server
  let origin: string
  let browser: Browser
  before(async () => {
    sdk = await packSdk()
    const project = await sdk.newProject()
    const lib = ['es2023', 'dom', 'dom.iterable']
    const files = ['work-in-room.ts']
    await compile(project, 'TypeScript 7', { moduleResolution: 'bundler', lib, types: [], files })
    await bundle('src/worker.js', project)
    app = serveApp(project, () => service.base_url)
    await new Promise<void>(resolve => app.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(app.address() as AddressInfo).port}`
    data = await sampleDataFolder()
    service = await data.start({ SVC_ALLOWED_ORIGINS: origin })
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  })
  after(async () => {
    await browser.close()
    app.closeAllConnections()
    await new Promise(resolve => app.close(resolve))
    await sdk.remove()
    await data.remove()
  })

  it('signs in, searches, opens a Room, uploads and follows, in a page and in a worker', async () => {
    const page = await browser.newPage()
    const errors: string[] = []
    page.on('pageerror', error => errors.push(error.message))
    const said: string[] = []
    page.on('console', message => said.push(message.text()))
    await page.goto(origin)
    await page.click('button[value=owner]')
    await page.waitForURL(`${origin}/callback?**`)
    const outcome = await page
      .waitForFunction('globalThis.outcome', undefined, { timeout: 240_000 })
      .catch((error: unknown) => assert.fail([String(error), ...errors, ...said].join('\n')))
    const seen = (await outcome.jsonValue()) as Record<'page' | 'worker', Seen & { error?: string }>
    for (const place of ['page', 'worker'] as const) {
      assert.equal(seen[place].error, undefined, place)
      assertSeen(seen[place])
    }
    assert.deepEqual(errors, [])
  })
})

/** Serves the project as a web app, which loads the SDK as it was installed. */
function serveApp(project: string, service: () => string): Server {
  const imports = { '@wbs/sdk': '/node_modules/@wbs/sdk/lib/index.js' }
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://app')
    const file = join(project, pathname)
    if (pathname === '/' || pathname === '/callback')
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html>
<html data-service="${service()}"><title>An app</title>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module" src="/src/page.js"></script>`)
    else if (pathname.endsWith('.js') && existsSync(file))
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(file))
    else response.writeHead(404).end()
  })
}
