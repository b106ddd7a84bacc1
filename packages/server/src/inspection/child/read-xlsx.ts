import readWorkbook from 'read-excel-file/universal'
import type { InspectionLimits } from '../limits.ts'
import { count } from '../read-text.ts'
import { collectPages, inOneLine } from '../text-pages.ts'
import { Unreadable, type ReadDocument } from './document.ts'

type Sheets = Awaited<ReturnType<typeof readWorkbook>>
type Cell = Sheets[number]['data'][number][number]

const namesShown = 10

/** One page for each sheet: a line for each row, with tabs between its cells. Throws Unreadable if it is broken. */
export async function readXlsx(bytes: Buffer, limits: InspectionLimits): Promise<ReadDocument> {
  const sheets = await readSheets(bytes)
  const pages = collectPages(limits)
  sheets.every(({ data }) => pages.add(data.map(row => row.map(textOf).join('\t')).join('\n')))
  return { pages: pages.found, is_cut: pages.isCut(), summary: summaryOf(sheets) }
}

function readSheets(bytes: Buffer): Promise<Sheets> {
  return readWorkbook(new Uint8Array(bytes).buffer, { trim: false }).catch((error: unknown) => {
    if (error instanceof RangeError) throw error
    throw new Unreadable((error as Error).message)
  })
}

/** A tab or a line break inside of a cell would look like another cell or row. */
function textOf(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date)
    return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().replace('T00:00:00.000Z', '')
  return `${cell as string | number | boolean}`.replaceAll(/[\t\r\n]+/g, ' ')
}

function summaryOf(sheets: Sheets): string {
  const names = sheets.slice(0, namesShown).map(({ sheet }) => inOneLine(sheet, 40))
  return `Workbook, ${count(sheets.length, 'sheet')}: ${names.join(', ')}${sheets.length > namesShown ? ', …' : ''}`
}
