import type { InspectionLimits } from '../limits.ts'
import { count } from '../read-text.ts'
import { collectPages, inOneLine } from '../text-pages.ts'
import { Unreadable, type ReadDocument } from './document.ts'
import { openZip } from './read-zip.ts'
import { sheetText } from './sheet-text.ts'
import { dateStylesOf, relationsOf, sharedTexts, sheetsOf, type SheetPart } from './workbook-parts.ts'

const namesShown = 10
/** Instead of a part that a workbook need not have. */
const noPart = '<none/>'

/** One page for each sheet: a line for each row, with tabs between its cells. Throws Unreadable if it is broken. */
export async function readXlsx(bytes: Buffer, limits: InspectionLimits): Promise<ReadDocument> {
  const part = await openZip(bytes, limits)
  const workbook = await part('xl/workbook.xml')
  const related = await part('xl/_rels/workbook.xml.rels')
  if (workbook === null || related === null) throw new Unreadable('no workbook')
  const relations = relationsOf(related)
  const { sheets, is1904 } = sheetsOf(workbook, relations)
  const other = async (kind: string) => {
    const path = [...relations.values()].find(relation => relation.kind === kind)?.path
    return (path === undefined ? null : await part(path)) ?? noPart
  }
  const texts = sharedTexts(await other('sharedStrings'))
  const dateStyles = dateStylesOf(await other('styles'))
  const pages = collectPages(limits)
  for (const { path } of sheets) {
    const xml = await part(path)
    if (xml === null) throw new Unreadable('a sheet is missing')
    // One character more than can be kept, so that the pages know that some are dropped.
    if (!pages.add(sheetText(xml, { texts, dateStyles, is1904 }, limits.text_bytes + 1))) break
  }
  return { pages: pages.found, is_cut: pages.isCut(), summary: summaryOf(sheets) }
}

function summaryOf(sheets: readonly SheetPart[]): string {
  const names = sheets.slice(0, namesShown).map(({ name }) => inOneLine(name, 40))
  return `Workbook, ${count(sheets.length, 'sheet')}: ${names.join(', ')}${sheets.length > namesShown ? ', …' : ''}`
}
