import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { chromium } from 'playwright-core'
import { createClient } from '@wbs/sdk'
import { guideBlocks } from '../../server/test/docs/guide-blocks.ts'
import { sampleDataFolder } from '../../server/test/harness/process.ts'
import { serveModules } from './served-modules.ts'

const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium'
const skip = !existsSync(executablePath) && `no Chromium at ${executablePath}; set CHROMIUM_PATH to one`

describe('the web app of docs/guides/browsers.md', { skip }, () => {
  it('signs somebody in from its own origin, and shows their Workspaces', async t => {
    const [code = ''] = await guideBlocks('browsers.md', 'guide-page.test.ts')
    let app = ''
    const pages = serveModules({
      imported: ['@wbs/sdk', 'oauth4webapi'],
      body: '<script type="module" src="/app.js"></script>',
      otherwise: ({ url }, response) =>
        url === '/app.js'
          ? response.writeHead(200, { 'content-type': 'text/javascript' }).end(app)
          : response.writeHead(404).end(),
    })
    await new Promise<void>(resolve => pages.listen(0, '127.0.0.1', resolve))
    t.after(() => {
      pages.closeAllConnections()
      pages.close()
    })
    const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
    const data = await sampleDataFolder(t)
    const started = await data.start({ SVC_ALLOWED_ORIGINS: origin })
    const { base_url } = started
    app = code.replace('http://127.0.0.1:8080', base_url)
    assert.notEqual(app, code)
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    t.after(() => browser.close())
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('pageerror', error => complaints.push(error.message))
    await page.goto(origin)
    await page.waitForURL(`${base_url}/identity/**`)
    await page.locator('button[value="owner"]').click()
    await page.waitForURL(`${origin}/`)
    await page.waitForFunction('document.body.textContent.trim() !== ""')
    assert.deepEqual(complaints, [])
    const { users } = await started.quickstart()
    const client = createClient({ base_url, access_token: users.owner?.access_token ?? '' })
    const names = (await client.listWorkspaces()).data.map(({ name }) => name)
    assert.ok(names.length > 0)
    assert.equal(await page.locator('body').textContent(), names.join(', '))
  })
})
