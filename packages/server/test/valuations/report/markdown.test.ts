import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { escapeMarkdown, markdownReport } from '../../../src/valuations/report/markdown.ts'
import { reportOf } from '../../../src/valuations/report/report.ts'
import { hostile, hostileTexts } from './hostile.ts'
import { report } from './report-fixture.ts'

const markdown = markdownReport(report)

const withoutEscaped = (of: string) => of.replaceAll(/\\[!-/:-@[-`{-~]/g, '')

/** What each line begins with that is no paragraph, and how many cells it has. */
const shapeOf = (of: string) =>
  withoutEscaped(of)
    .split('\n')
    .map(line => [/^(?:#+ | *[-+*] |\||\d+[.)] |>| {4}|```|---|===)/.exec(line)?.[0], line.split('|').length])
    .filter(([mark]) => mark !== undefined)

describe('the report as Markdown', () => {
  it('has every section, and every table with a line for its head and one for each row', () => {
    for (const [at, { title }] of report.sections.entries())
      assert.ok(markdown.includes(`\n## ${at + 1}\\. ${title}\n`), title)
    const rows = report.sections
      .flatMap(one => one.blocks)
      .flatMap(one => (one.rows ? [one.rows.length + 2] : []))
    assert.equal(
      markdown.split('\n').filter(line => line.startsWith('|')).length,
      rows.reduce((sum, one) => sum + one, 0),
    )
    assert.ok(markdown.startsWith('# Calculation of value: Corner Bakery\n'))
    assert.match(markdown, /^USD [\d,.]+, in a range from USD [\d,.]+ to USD [\d,.]+, as of 30 June 2026/m)
  })

  it('shows the calculation as nested lists', () => {
    assert.match(markdown, /\n- Point of the conclusion: [^\n]+\n {2}- [^\n]+\n {4}- /)
  })
})

describe('what users wrote, in Markdown', () => {
  for (const text of hostileTexts)
    it(`changes nothing of the structure: ${JSON.stringify(text)}`, () => {
      const [given, harmless] = [text, 'harmless'].map(one => markdownReport(reportOf(hostile(one))))
      assert.ok(given !== undefined && harmless !== undefined)
      assert.deepEqual(shapeOf(given), shapeOf(harmless))
      assert.doesNotMatch(withoutEscaped(given), /[<>`[\]]|:\/\/|www\./)
    })

  it('is the same text once the backslashes are read, as CommonMark does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        const read = escapeMarkdown(text).replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
        assert.equal(read, text.replaceAll(/\s+/g, ' '))
      }),
    )
  })
})
