import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { chromium, type Browser, type Page } from 'playwright-core'
import { htmlReport } from '../../../src/valuations/report/html/html-report.ts'
import { reportOf } from '../../../src/valuations/report/report.ts'
import { proofDraws } from '../../harness/proof.ts'
import { hostile, hostileTexts } from './hostile.ts'
import { report } from './report-fixture.ts'

const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium'
const skip = !existsSync(executablePath) && `no Chromium at ${executablePath}; set CHROMIUM_PATH to one`

describe('the saved report in a browser', { skip }, () => {
  let browser: Browser
  let page: Page
  let unexpected: string[] = []
  let folder: string
  before(async () => {
    const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
    browser = await chromium.launch({ executablePath, args })
    // One tab for all visits: another one costs more than most of them.
    page = await browser.newPage()
    page.on('console', message => unexpected.push(message.text()))
    page.on('pageerror', error => unexpected.push(error.message))
    page.on('dialog', dialog => {
      unexpected.push(dialog.message())
      void dialog.dismiss()
    })
    page.on('request', request => {
      if (request.url() !== addressOf(file())) unexpected.push(request.url())
    })
    folder = await mkdtemp(join(tmpdir(), 'report-'))
  })
  after(async () => {
    await browser.close()
    await rm(folder, { recursive: true })
  })

  const file = () => join(folder, 'report.html')
  const addressOf = (path: string) => pathToFileURL(path).href

  /** Opens a saved page. It must load nothing else, and nothing may be logged. */
  async function visit(html: string, width: number, look: () => Promise<void>): Promise<void> {
    await writeFile(file(), html)
    unexpected = []
    await page.setViewportSize({ width, height: 900 })
    await page.goto(addressOf(file()))
    await look()
    assert.deepEqual(unexpected, [])
  }

  for (const width of [1280, 390])
    it(`shows its charts, and fits a screen of ${width} pixels`, async () => {
      const charts = report.sections.flatMap(one => one.blocks).filter(one => one.kind === 'chart')
      await visit(htmlReport(report), width, async () => {
        for (const { title, series = [] } of charts) {
          const image = page.getByRole('img', { name: title ?? '', exact: true })
          const box = await image.boundingBox()
          assert.ok(box && box.width > 300 && box.height > 60, `${title}: ${JSON.stringify(box)}`)
          assert.ok((await image.locator('rect, path').count()) >= series.length)
        }
        const fill = await page.evaluate(`getComputedStyle(document.querySelector('svg .total')).fill`)
        assert.equal(fill, 'rgb(31, 78, 121)')
        assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width)
      })
    })

  it('leads from its contents to each section', async () => {
    await visit(htmlReport(report), 1280, async () => {
      await page.getByRole('navigation').getByRole('link', { name: 'Appendices' }).click()
      const heading = page.getByRole('heading', { name: '14. Appendices' })
      await heading.waitFor()
      const { y = -900 } = (await heading.boundingBox()) ?? {}
      assert.ok(y > -2 && y < 900, `${y}`)
    })
  })

  it('prints on A4 and on Letter, on several pages', () =>
    visit(htmlReport(report), 1280, async () => {
      for (const format of ['A4', 'Letter'] as const) {
        const pdf = (await page.pdf({ format, preferCSSPageSize: true })).toString('latin1')
        const widths = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) /g)].map(one => Math.round(Number(one[1])))
        assert.deepEqual([...new Set(widths)], [format === 'A4' ? 596 : 612])
        assert.ok(widths.length >= 8)
      }
    }))

  it('shows what users wrote as they wrote it, and runs none of it', async () => {
    const half = hostileTexts.length / 2
    const halves = [hostileTexts.slice(0, half), hostileTexts.slice(half)]
    for (const text of proofDraws(halves).flat())
      await visit(htmlReport(reportOf(hostile(text))), 390, async () => {
        assert.match(await page.title(), /^Valuation report: /)
        assert.equal(await page.locator('script, img, a:not([href^="#section-"])').count(), 0)
        assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 390, text)
      })
    const name = '<img src=x onerror=alert(1)> & Söhne'
    await visit(htmlReport(reportOf(hostile(name))), 1280, async () => {
      assert.equal(await page.locator('h1').textContent(), `Valuation report: ${name}`)
    })
  })
})
