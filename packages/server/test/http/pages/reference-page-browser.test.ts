import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { chromium, type Browser, type Page } from 'playwright-core'
import { openApiDocument } from '@wbs/contract/openapi'
import { operations } from '@wbs/contract/registry'
import { addDocuments } from '../../../src/http/pages/documents.ts'
import { referencePage } from '../../../src/http/pages/reference-page.ts'

const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium'
const skip = !existsSync(executablePath) && `no Chromium at ${executablePath}; set CHROMIUM_PATH to one`
const phone = { width: 360, height: 740 }
const desk = { width: 1440, height: 900 }

describe('the reference page in a browser', { skip }, () => {
  let server: FastifyInstance
  let browser: Browser

  before(async () => {
    server = Fastify()
    addDocuments(server, {
      openapi: JSON.stringify(openApiDocument()),
      page: referencePage(openApiDocument()),
    })
    await server.listen({ port: 0, host: '127.0.0.1' })
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
    await server.close()
  })

  /** Opens the page, runs a test on it, and closes it. */
  async function visit(
    options: { viewport: { width: number; height: number }; colorScheme?: 'light' | 'dark' },
    look: (page: Page) => Promise<void>,
  ): Promise<void> {
    const page = await browser.newPage({ ...options, reducedMotion: 'reduce' })
    try {
      await page.goto(`${server.listeningOrigin}/docs`)
      await look(page)
    } finally {
      await page.close()
    }
  }

  it('breaks no rule of its Content-Security-Policy and leaves nothing in the console', async () => {
    const page = await browser.newPage({ viewport: desk })
    const complaints: string[] = []
    page.on('console', message => complaints.push(message.text()))
    page.on('pageerror', error => complaints.push(error.message))
    page.on('requestfailed', request => complaints.push(request.url()))
    const answer = await page.goto(`${server.listeningOrigin}/docs`)
    assert.match(
      answer?.headers()['content-security-policy'] ?? '',
      /^default-src 'none'; style-src 'unsafe-inline';/,
    )
    assert.notEqual(
      await page.locator('pre').first().evaluate(backgroundOf),
      'rgba(0, 0, 0, 0)',
      'the style sheet was refused',
    )
    await page.close()
    assert.deepEqual(complaints, [])
  })

  it('has one main heading, its landmarks, and a list of the operations', () =>
    visit({ viewport: desk }, async page => {
      assert.deepEqual(await page.getByRole('heading', { level: 1 }).allTextContents(), [
        'Workspace Business Service',
      ])
      for (const landmark of ['banner', 'navigation', 'main'] as const)
        assert.equal(await page.getByRole(landmark).count(), 1, landmark)
      const listed = page.getByRole('navigation', { name: 'Contents' }).locator('a[href^="#operation-"]')
      assert.equal(await listed.count(), operations.length)
      assert.ok(await listed.last().isVisible())
      assert.ok((await page.getByRole('table').count()) > operations.length)
    }))

  it('leads from the contents to an operation', () =>
    visit({ viewport: desk }, async page => {
      await page.getByRole('navigation').getByRole('link', { name: 'Create workspace POST' }).click()
      assert.equal(new URL(page.url()).hash, '#operation-create_workspace')
      assert.ok(await isAtTop(page, '#operation-create_workspace'))
    }))

  it('leads from the contents to an operation on a phone, where they are folded', () =>
    visit({ viewport: phone }, async page => {
      const link = page.getByRole('navigation').getByRole('link', { name: 'Create workspace POST' })
      assert.equal(await link.isVisible(), false)
      await page.getByText('Contents', { exact: true }).first().click()
      await link.click()
      assert.ok(await isAtTop(page, '#operation-create_workspace'))
    }))

  it('lets the keyboard skip to the content', () =>
    visit({ viewport: desk }, async page => {
      await page.keyboard.press('Tab')
      assert.equal(await page.locator(':focus').textContent(), 'Skip to the content')
      await page.keyboard.press('Enter')
      assert.equal(await page.locator(':focus').getAttribute('id'), 'content')
    }))

  for (const width of [320, 360, 768, 1024, 1440])
    it(`fits a screen of ${width} pixels, with everything unfolded`, () =>
      visit({ viewport: { width, height: 740 } }, async page => {
        assert.deepEqual(await page.locator('html').evaluate(beyondTheEdge), [])
      }))

  for (const colorScheme of ['light', 'dark'] as const)
    it(`has a contrast of at least 4.5 everywhere in ${colorScheme} colours`, () =>
      visit({ viewport: desk, colorScheme }, async page => {
        const texts = await page.locator('html').evaluate(coloursOfText)
        assert.ok(texts.length > 100)
        assert.deepEqual(
          texts.filter(({ ink, paper }) => contrast(ink, paper) < 4.5),
          [],
        )
      }))
})

/** The parts of an element that functions in the page use. */
interface PageElement {
  tagName: string
  className: string
  outerHTML: string
  open: boolean
  clientWidth: number
  scrollWidth: number
  childNodes: Iterable<{ nodeType: number; textContent: string | null }>
  parentElement: PageElement | null
  ownerDocument: {
    defaultView: { getComputedStyle(of: PageElement): Record<'color' | 'backgroundColor', string> }
  }
  querySelectorAll(selector: string): Iterable<PageElement>
  getBoundingClientRect(): { top: number; right: number }
}

const backgroundOf = (element: PageElement) =>
  element.ownerDocument.defaultView.getComputedStyle(element).backgroundColor

/** Whether an element begins in the upper part of the window. */
async function isAtTop(page: Page, selector: string): Promise<boolean> {
  const top = await page
    .locator(selector)
    .evaluate((element: PageElement) => element.getBoundingClientRect().top)
  return top > -40 && top < 200
}

/** Opens all details, and gives the elements that overflow to the right. Runs in the page. */
function beyondTheEdge(root: PageElement): string[] {
  for (const details of root.querySelectorAll('details')) details.open = true
  const elements = [...root.querySelectorAll('main *')].filter(
    element => element.getBoundingClientRect().right > root.clientWidth + 1,
  )
  return [
    ...elements.map(element => element.outerHTML.slice(0, 80)),
    ...(root.scrollWidth > root.clientWidth ? ['the page scrolls sideways'] : []),
  ]
}

/** The colours of each kind of text and of its background. Runs in the page. */
function coloursOfText(root: PageElement): { what: string; ink: string; paper: string }[] {
  const styleOf = (element: PageElement) => root.ownerDocument.defaultView.getComputedStyle(element)
  const behind = (element: PageElement | null): string => {
    if (!element) return 'rgb(255, 255, 255)'
    const { backgroundColor } = styleOf(element)
    return backgroundColor === 'rgba(0, 0, 0, 0)' ? behind(element.parentElement) : backgroundColor
  }
  const withText = [...root.querySelectorAll('body *')].filter(element =>
    [...element.childNodes].some(node => node.nodeType === 3 && node.textContent?.trim()),
  )
  return withText.map(element => ({
    what: `${element.tagName}.${element.className}`,
    ink: styleOf(element).color,
    paper: behind(element),
  }))
}

/** The contrast ratio of two colours by WCAG 2: 1 to 21. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(value =>
    linear(Number(value) / 255),
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const linear = (value: number) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
