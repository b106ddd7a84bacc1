import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'
import { startTransport, type TestTransport } from '../../test-transport.ts'
import { proofDraws } from '../../../harness/proof.ts'
import { beyondTheEdge, coloursOfText, contrast } from './page-measures.ts'

const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium'
const skip = !existsSync(executablePath) && `no Chromium at ${executablePath}; set CHROMIUM_PATH to one`
const desk = { width: 1440, height: 900 }
const updateRoom = '/docs/operations/update_room'

interface Tab {
  context: BrowserContext
  page: Page
  complaints: string[]
}

describe('the reference in a browser', { skip }, () => {
  let transport: TestTransport
  let browser: Browser

  before(async () => {
    transport = await startTransport()
    const args = [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ]
    browser = await chromium.launch({ executablePath, args })
  })
  after(async () => {
    await browser.close()
    await transport.close()
  })

  /** The tab of the visits that ask for nothing special, and what the browser complained of in it. */
  let usual: Tab | undefined

  async function open(options: BrowserContextOptions): Promise<Tab> {
    const context = await browser.newContext({ viewport: desk, reducedMotion: 'reduce', ...options })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', message => complaints.push(message.text()))
    page.on('pageerror', error => complaints.push(error.message))
    page.on('requestfailed', request => complaints.push(request.url()))
    return { context, page, complaints }
  }

  /** Opens a page of the reference, runs a test on it, and fails if the browser complained of something. */
  async function visit(
    path: string,
    look: (page: Page) => Promise<void>,
    options?: BrowserContextOptions,
  ): Promise<void> {
    const tab = options ? await open(options) : (usual ??= await open({}))
    let isGood = false
    try {
      await tab.page.goto(transport.base_url + path)
      await look(tab.page)
      assert.deepEqual(tab.complaints, [])
      isGood = true
    } finally {
      if (isGood && tab === usual) await asNew(tab.page)
      else await tab.context.close()
      if (!isGood) usual = undefined
    }
  }

  /** What a visit chose is forgotten. */
  async function asNew(page: Page): Promise<void> {
    await page.evaluate('localStorage.clear()')
    await page.context().clearPermissions()
    await page.setViewportSize(desk)
    await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: 'reduce' })
  }

  const shade = (page: Page) =>
    page.evaluate<string>("getComputedStyle(document.querySelector('pre')).backgroundColor")
  const isShown = (page: Page, text: string) => page.getByText(text, { exact: true }).first().isVisible()

  it('has its style sheet and landmarks, and the current page in the contents', () =>
    visit(updateRoom, async page => {
      assert.notEqual(await shade(page), 'rgba(0, 0, 0, 0)', 'the style sheet was refused')
      for (const landmark of ['banner', 'main', 'search', 'complementary'] as const)
        assert.equal(await page.getByRole(landmark).count(), 1, landmark)
      const contents = page.getByRole('navigation', { name: 'Contents' })
      assert.equal(await contents.locator('[aria-current=page]').textContent(), 'Update room')
      await contents.getByRole('link', { name: 'Archive room', exact: true }).click()
      await page.waitForURL('**/docs/operations/archive_room')
    }))

  it('finds as you type, and leads to what is chosen by the keyboard', () =>
    visit(updateRoom, async page => {
      await page.keyboard.press('/')
      await page.keyboard.type('participant_vis')
      const field = page.getByRole('combobox', { name: 'Search' })
      assert.equal(await field.inputValue(), 'participant_vis')
      await page.getByRole('option').first().waitFor()
      assert.equal(await field.getAttribute('aria-expanded'), 'true')
      await page.keyboard.press('ArrowDown')
      const chosen = page.locator('[role=option][aria-selected=true]')
      assert.equal(await chosen.getAttribute('id'), await field.getAttribute('aria-activedescendant'))
      const target = await chosen.locator('a').getAttribute('href')
      assert.match(target ?? '', /#.*participant_visibility$/)
      await page.keyboard.press('Enter')
      await page.waitForURL(new URL(target ?? '', page.url()).href)
      assert.ok(await page.locator(':target').isVisible())
    }))

  it('closes what was found by Escape, says when nothing was found, and sends the form by Enter', () =>
    visit(updateRoom, async page => {
      const field = page.getByRole('combobox', { name: 'Search' })
      await field.fill('xyzzy')
      await page.getByRole('listbox').getByText('Nothing found').waitFor()
      await page.keyboard.press('Escape')
      assert.equal(await page.getByRole('listbox').isVisible(), false)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/docs/search?q=xyzzy')
    }))

  it('leads from the page of results to what was found', () =>
    visit('/docs/search?q=archive', async page => {
      await page.getByRole('main').getByRole('link', { name: 'Archive room', exact: true }).click()
      await page.waitForURL('**/docs/operations/archive_room')
    }))

  it('has tabs, which the keyboard changes and other pages remember', () =>
    visit(updateRoom, async page => {
      assert.ok(await page.getByRole('tabpanel', { name: 'curl' }).isVisible())
      assert.equal(await page.getByText('client.updateRoom').isVisible(), false)
      await page.getByRole('tab', { name: 'curl' }).focus()
      await page.keyboard.press('ArrowRight')
      assert.ok(await page.getByText('client.updateRoom').isVisible())
      assert.equal(await page.getByRole('tabpanel', { name: 'curl' }).isVisible(), false)
      assert.equal(await page.getByRole('tab', { name: 'TypeScript' }).getAttribute('aria-selected'), 'true')
      await page.goto(`${transport.base_url}/docs/operations/get_room`)
      assert.ok(await page.getByText('client.getRoom').isVisible())
    }))

  it('copies an example to the clipboard', () =>
    visit(updateRoom, async page => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByRole('button', { name: 'Copy Body: JSON' }).click()
      await page.getByText('Copied').first().waitFor()
      const copied = await page.evaluate<string>('navigator.clipboard.readText()')
      assert.equal((JSON.parse(copied) as { expected_revision: number }).expected_revision, 1)
    }))

  it('says that it could not copy', () =>
    visit(updateRoom, async page => {
      await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("refused"))')
      await page.getByRole('button', { name: 'Copy Body: JSON' }).click()
      await page.getByText('Not copied').first().waitFor()
    }))

  it('marks the section that is read', () =>
    visit(updateRoom, async page => {
      const marked = page.locator('[aria-current=location]')
      await page.evaluate("document.getElementById('body').scrollIntoView()")
      await page.locator('[aria-current=location]', { hasText: 'Body' }).waitFor()
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      await page.locator('[aria-current=location]', { hasText: 'Problems' }).waitFor()
      assert.equal(await marked.count(), 1)
    }))

  for (const [old, path] of [
    ['#operation-update_room', updateRoom],
    ['#tag-room-files', '/docs/room-files'],
    ['#schema-Room', '/docs/schemas/Room'],
    ['#problem-gone', '/problems/gone'],
  ] as const)
    it(`leads from the address ${old} of earlier versions to its page`, () =>
      visit(`/docs${old}`, page => page.waitForURL(`**${path}`)))

  it('has the colours of the system until others are chosen, on all pages', () =>
    visit(updateRoom, async page => {
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.reload()
      const dark = await shade(page)
      await page.getByLabel('Colours').selectOption('light')
      const light = await shade(page)
      assert.notEqual(light, dark)
      await page.reload()
      assert.equal(await shade(page), light)
      await page.getByLabel('Colours').selectOption('system')
      assert.equal(await shade(page), dark)
    }))

  it('lets the keyboard skip to the content', () =>
    visit(updateRoom, async page => {
      await page.keyboard.press('Tab')
      assert.equal(await page.locator(':focus').textContent(), 'Skip to the content')
      await page.keyboard.press('Enter')
      assert.equal(await page.locator(':focus').getAttribute('id'), 'content')
    }))

  it('folds the contents on a phone', () =>
    visit(updateRoom, async page => {
      await page.setViewportSize({ width: 360, height: 740 })
      await page.reload()
      const link = page.getByRole('link', { name: 'Archive room', exact: true })
      assert.equal(await link.isVisible(), false)
      await page.getByText('Contents', { exact: true }).click()
      await link.click()
      await page.waitForURL('**/docs/operations/archive_room')
    }))

  it('is readable without script: contents, both examples, answers, and a search', () =>
    visit(
      updateRoom,
      async page => {
        for (const label of ['curl', 'TypeScript', 'JSON', '200'])
          assert.ok(await isShown(page, label), label)
        assert.ok(await page.getByText('client.updateRoom').isVisible())
        assert.ok(await page.getByText('curl "$BASE_URL').isVisible())
        assert.ok(await page.getByRole('link', { name: 'Archive room', exact: true }).isVisible())
        assert.equal(await page.getByRole('button', { name: 'Copy' }).count(), 0)
        await page.getByLabel('Search').fill('archive room')
        await page.getByRole('button', { name: 'Search' }).click()
        await page.getByRole('main').getByRole('link', { name: 'Archive room', exact: true }).click()
        await page.waitForURL('**/docs/operations/archive_room')
      },
      { javaScriptEnabled: false },
    ))

  const kinds = [
    ['/docs', updateRoom, '/docs/schemas/ValuationResult', '/docs/search?q=room'],
    ['/docs/rooms', '/docs/schemas/Event', '/docs/guide/sdk'],
    ['/docs/operations/create_valuation', '/docs/problems', '/problems/revision_conflict'],
  ]
  for (const path of proofDraws(kinds).flat())
    it(`${path} fits screens of 320 to 1280 pixels, unfolded, with a contrast of at least 4.5 in light and dark colours`, () =>
      visit(path, async page => {
        for (const width of [320, 360, 1024, 1280]) {
          await page.setViewportSize({ width, height: 740 })
          assert.deepEqual(await page.locator('html').evaluate(beyondTheEdge), [], `${width} pixels`)
        }
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          const texts = await page.locator('html').evaluate(coloursOfText)
          assert.ok(texts.length > 30)
          assert.deepEqual(
            texts.filter(({ ink, paper }) => contrast(ink, paper) < 4.5),
            [],
            colorScheme,
          )
        }
      }))

  it('prints the text and all examples, without what is only for a screen', () =>
    visit(updateRoom, async page => {
      await page.emulateMedia({ media: 'print' })
      assert.ok(await page.getByText('client.updateRoom').isVisible())
      assert.equal(await page.getByRole('search').isVisible(), false)
      assert.equal(await page.getByRole('button', { name: /Copy/ }).first().isVisible(), false)
    }))
})
