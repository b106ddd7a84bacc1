import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { htmlReport } from '../../../src/valuations/report/html/html-report.ts'
import { reportOf } from '../../../src/valuations/report/report.ts'
import { hostile, hostileTexts } from './hostile.ts'
import { report, signature, subject } from './report-fixture.ts'

const page = htmlReport(report)

/** The names of the elements, in order, with their attributes except those that hold text. */
const shapeOf = (html: string): string[] =>
  [...html.matchAll(/<(\/?[a-z][a-z0-9]*)((?: [a-zA-Z-]+(?:="[^"]*")?)*)\s*\/?>/g)].map(
    ([, name, attributes = '']) =>
      `${name} ${[...attributes.matchAll(/ ([a-zA-Z-]+)="[^"]*"/g)].map(one => one[1]).join()}`,
  )

/** The page without its style, and without paragraphs: a text has as many as it has lines. */
const comparable = (html: string) => html.replace(/<style>[^]*?<\/style>/, '').replaceAll(/<\/?p>/g, '')

describe('the report as HTML', () => {
  it('is one file that runs nothing and loads nothing', () => {
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(page) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? []
    assert.deepEqual(policy.split('; '), [
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      "base-uri 'none'",
      "form-action 'none'",
    ])
    assert.doesNotMatch(
      page,
      /<script|<link|<img|<iframe|<object|\ssrc=|\sstyle=|\son\w+=|url\(|@import|javascript:/i,
    )
    for (const [, target] of page.matchAll(/ href="([^"]*)"/g))
      assert.match(target ?? '', /^#section-[a-z_]+$/)
  })

  it('has ids that are unique, links that lead somewhere, and one heading of the first level', () => {
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(one => one[1])
    assert.equal(new Set(ids).size, ids.length)
    for (const [, target = ''] of page.matchAll(/ (?:href="#|aria-(?:labelled|described)by=")([^"]*)"/g))
      for (const id of target.split(' ')) assert.ok(ids.includes(id), id)
    assert.equal(page.match(/<h1/g)?.length, 1)
    assert.equal(page.match(/<h2/g)?.length, report.sections.length)
  })

  it('gives every image a title and a description, and a table below it', () => {
    const images = page.match(/<svg[^]*?<\/svg>/g) ?? []
    const charts = report.sections.flatMap(one => one.blocks).filter(one => one.kind === 'chart')
    assert.equal(images.length, charts.length)
    assert.deepEqual(
      new Set(charts.map(one => one.chart)),
      new Set(['columns', 'waterfall', 'ranges', 'tornado']),
    )
    for (const image of images)
      assert.match(
        image,
        /role="img" aria-labelledby="\S+" aria-describedby="\S+"><title id="[^"]+">[^<]+<\/title><desc id="[^"]+">[^<]+<\/desc>/,
      )
    assert.equal(
      page.match(
        /<\/figure>\n<div class="scroll[^"]*" role="region" aria-label="[^"]+" tabindex="0"><table>/g,
      )?.length,
      charts.length,
    )
  })

  it('gives headings of tables a scope, and aligns figures', () => {
    assert.equal(page.match(/<th[ >]/g)?.length, page.match(/<th scope="(?:row|col)"/g)?.length)
    assert.match(page, /<td class="n">800,000\.00<\/td>/)
    assert.match(page, /<td class="code">[0-9a-f]{64}<\/td>/)
  })

  it('opens and closes its elements in order, the lists of the calculation too', () => {
    const open: string[] = []
    for (const [tag, name = ''] of page.matchAll(/<\/?([a-z][a-z0-9]*)[^>]*>/g)) {
      if (tag.endsWith('/>') || name === 'meta') continue
      if (tag.startsWith('</')) assert.equal(open.pop(), name, tag)
      else open.push(name)
    }
    assert.deepEqual(open, [])
  })

  it('shows at its head whether it is signed', () => {
    assert.match(
      page,
      /<body>\n<header>[^]*Calculation by the engine, not a conclusion of value[^]*Calculated value/,
    )
    const signed = htmlReport(reportOf({ ...subject, signature }))
    assert.match(signed, /<body class="signed">\n<header>[^]*Signed by Olivia Owner[^]*Conclusion of value/)
  })
})

describe('what users wrote, in HTML', () => {
  const harmless = htmlReport(reportOf(hostile('harmless')))
  for (const text of hostileTexts)
    it(`adds no element and no attribute: ${JSON.stringify(text)}`, () => {
      const html = htmlReport(reportOf(hostile(text)))
      assert.deepEqual(shapeOf(comparable(html)), shapeOf(comparable(harmless)))
    })
})
