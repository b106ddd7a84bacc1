import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before } from 'node:test'
import { chromium, type Browser, type BrowserContext, type Page, type Request } from 'playwright-core'

const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium'
/** For describe(): why tests of pages are skipped; false if they are not. */
export const skip =
  !existsSync(executablePath) && `no Chromium at ${executablePath}; set CHROMIUM_PATH to one`

/** A person with a browser of their own, which remembers what it sent. */
export interface Visitor {
  context: BrowserContext
  page: Page
  /** The requests of all tabs. */
  sent: Request[]
  /** The access tokens that the browser got. */
  tokens: string[]
  /** Faults that scripts did not handle, and what the browser refused to do for a page's policy. */
  faults: string[]
}

/** Starts a browser for the tests of a file. */
export function browsing() {
  let browser: Browser | undefined
  let context: BrowserContext | undefined
  let visitor: Visitor | undefined
  before(async () => {
    if (skip) return
    const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
    browser = await chromium.launch({ executablePath, args })
  })
  after(() => browser?.close())

  /** A context of its own for each visit would cost more than most visits. */
  async function openContext(): Promise<BrowserContext> {
    assert.ok(browser)
    const opened = await browser.newContext({ viewport: { width: 360, height: 740 } })
    opened.setDefaultTimeout(20_000)
    opened.on('request', request => visitor?.sent.push(request))
    opened.on('weberror', error => visitor?.faults.push(error.error().message))
    opened.on('console', message => {
      if (/content security policy|trusted ?type|integrity/i.test(message.text()))
        visitor?.faults.push(message.text())
    })
    opened.on('response', response => {
      if (response.request().method() !== 'POST' || !response.url().endsWith('/token')) return
      const tokens = visitor?.tokens
      void response.json().then(
        body => tokens?.push(body.access_token),
        () => undefined,
      )
    })
    return opened
  }

  /** Lets a person use a browser the size of a phone, which has forgotten everything of the last one. */
  return async function visit(look: (visitor: Visitor) => Promise<void>): Promise<void> {
    context ??= await openContext()
    const opened = context
    visitor = { context: opened, page: await opened.newPage(), sent: [], tokens: [], faults: [] }
    try {
      await look(visitor)
      assert.deepEqual(visitor.faults, [])
      await forget(opened)
    } catch (error) {
      context = undefined
      await opened.close()
      throw error
    }
  }
}

/** Closes the tabs, which deletes what they stored for a session, and deletes what is stored for longer. */
async function forget(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    await page.evaluate('localStorage.clear()').catch(() => undefined) // a page may not be allowed to store
    await page.close()
  }
  await context.clearCookies()
}

export const says = (page: Page, text: string | RegExp) => page.getByRole('status').getByText(text).waitFor()
export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()

/** The value of a fact that the page shows. */
export const fact = (page: Page, name: string) =>
  page.locator(`#facts dt:text-is("${name}") + dd`).first().textContent()

/** Signs in at an issuer, at which the page has arrived, as the person with an address. */
export async function signInAs(page: Page, email: string): Promise<void> {
  await page.getByLabel('Or as anybody else').fill(email)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Asserts that a secret was in no address and no Referer, and in the body of no request but to an address. */
export async function onlyToldTo(allowed: string, secret: string, sent: Request[]): Promise<void> {
  for (const request of sent) {
    const headers = JSON.stringify(await request.allHeaders().catch(() => request.headers()))
    assert.ok(!request.url().includes(secret) && !headers.includes(secret), request.url())
    if (!request.url().startsWith(allowed)) assert.ok(!(request.postData() ?? '').includes(secret))
  }
}
