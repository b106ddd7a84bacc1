import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { workbookOf, xlsxType } from './documents.ts'
import { inspect } from './inspecting.ts'

const cutNote = 'only the start of its text'
const sharedOf = (...texts: string[]) => ({
  'sharedStrings.xml': `<sst>${texts.map(text => `<si><t>${text}</t></si>`).join('')}</sst>`,
})
const rowOf = (row: number, ...cells: string[]) => `<row r="${row}">${cells.join('')}</row>`
const number = (place: string, value: number, style?: number) =>
  `<c r="${place}"${style === undefined ? '' : ` s="${style}"`}><v>${value}</v></c>`
const shared = (place: string, at: number) => `<c r="${place}" t="s"><v>${at}</v></c>`

describe('the text of a workbook', () => {
  it('has a cell in the last column of a sheet of many rows', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => rowOf(at + 2, number(`A${at + 2}`, at)))
    const { error, text, summary } = await inspect(
      xlsxType,
      workbookOf({ Wide: rowOf(1, number('A1', 1), number('XFD1', 2)) + rows.join('') }),
    )
    assert.deepEqual([error, text.status, summary], [null, 'ready', 'Workbook, 1 sheet: Wide'])
    const lines = text.pages.join('').split('\n')
    assert.deepEqual([lines.length, lines[0], lines[1]], [20_001, `1${'\t'.repeat(16_383)}2`, '0'])
  })

  it('is cut where cells in the last column have more text than is kept', async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => rowOf(at + 1, number(`XFD${at + 1}`, at)))
    const { error, text, summary } = await inspect(xlsxType, workbookOf({ Wide: rows.join('') }))
    assert.deepEqual([error, text.status, summary], [null, 'ready', `Workbook, 1 sheet: Wide, ${cutNote}`])
    assert.equal(text.pages.join('').length, 10_000_000)
  })

  it('is cut where 40,000 cells name one long text', async () => {
    const rows = Array.from({ length: 40_000 }, (_, at) => rowOf(at + 1, shared(`A${at + 1}`, 0)))
    const workbook = workbookOf({ Same: rows.join('') }, sharedOf('x'.repeat(32_767)))
    const { error, text, summary } = await inspect(xlsxType, workbook)
    assert.deepEqual([error, text.status, summary], [null, 'ready', `Workbook, 1 sheet: Same, ${cutNote}`])
    assert.equal(text.pages.join('').length, 10_000_000)
  })

  it('has the last row of a sheet', async () => {
    const { text } = await inspect(xlsxType, workbookOf({ Long: rowOf(1_048_576, number('B1048576', 7)) }))
    assert.equal(text.status, 'ready')
    assert.equal(text.pages.join(''), `${'\n'.repeat(1_048_575)}\t7`)
  })

  it('shows texts, numbers, dates, truth values and errors as people read them', async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm"/><numFmt numFmtId="165" formatCode="0.0 &quot;days&quot;"/></numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
      <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`
    const rich = `<sst><si><r><t>Net </t></r><r><t>profit</t></r><rPh><t>hidden</t></rPh></si><si><t>a_x000D_&amp;&#9;b</t></si></sst>`
    const cells = [
      shared('A1', 0),
      shared('B1', 1),
      number('C1', 0.1),
      number('D1', 46_023, 1),
      number('E1', 46_023.5, 2),
      number('F1', 2.5, 3),
      '<c r="G1" t="b"><v>1</v></c>',
      '<c r="H1" t="e"><v>#N/A</v></c>',
      '<c r="I1" t="str"><f>A1</f><v>sum</v></c>',
      '<c r="J1" t="inlineStr"><is><t>in</t></is></c>',
    ]
    const { text } = await inspect(
      xlsxType,
      workbookOf({ P: rowOf(1, ...cells) }, { 'sharedStrings.xml': rich, 'styles.xml': styles }),
    )
    const row = 'Net profit|a & b|0.1|2026-01-01|2026-01-01T12:00:00.000Z|2.5|true|#N/A|sum|in'
    assert.deepEqual(text.pages, [row.replaceAll('|', '\t')])
  })

  it('is not read from a sheet that is broken or has a cell outside of it', async () => {
    for (const rows of [
      '<row r="1"><c r="A1"',
      rowOf(1_048_577, number('A1', 1)),
      rowOf(1, number('XFE1', 1)),
    ])
      assert.equal((await inspect(xlsxType, workbookOf({ a: rows }))).error, 'unreadable')
  })
})
