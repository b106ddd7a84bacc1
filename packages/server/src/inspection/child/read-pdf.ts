import { getDocumentProxy } from 'unpdf'
import type { InspectionLimits } from '../limits.ts'
import { count } from '../read-text.ts'
import { collectPages } from '../text-pages.ts'
import { Protected, Unreadable, type ReadDocument } from './document.ts'

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>

/** One page of text for each page. Throws Unreadable if it is no PDF, Protected if it needs a password. */
export async function readPdf(bytes: Buffer, limits: InspectionLimits): Promise<ReadDocument> {
  const pdf = await open(bytes)
  const pages = collectPages(limits)
  for (let number = 1; number <= pdf.numPages; number++) if (!pages.add(await readPage(pdf, number))) break
  return { pages: pages.found, is_cut: pages.isCut(), summary: `PDF, ${count(pdf.numPages, 'page')}` }
}

async function open(bytes: Buffer): Promise<Pdf> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), { useSystemFonts: false })
  } catch (error) {
    if ((error as Error).name === 'PasswordException') throw new Protected()
    if (error instanceof RangeError) throw error
    throw new Unreadable((error as Error).message)
  }
}

async function readPage(pdf: Pdf, number: number): Promise<string> {
  const page = await pdf.getPage(number)
  const { items } = await page.getTextContent()
  page.cleanup()
  return items.map(item => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
}
