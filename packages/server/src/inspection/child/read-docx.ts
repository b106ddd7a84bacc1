import mammoth from 'mammoth'
import type { InspectionLimits } from '../limits.ts'
import { collectPages, splitText } from '../text-pages.ts'
import { Unreadable, type ReadDocument } from './document.ts'

/** The text in parts: a DOCX does not say where its pages end. Throws Unreadable if it is broken. */
export async function readDocx(bytes: Buffer, limits: InspectionLimits): Promise<ReadDocument> {
  const { value } = await mammoth.extractRawText({ buffer: bytes }).catch((error: unknown) => {
    if (error instanceof RangeError) throw error
    throw new Unreadable((error as Error).message)
  })
  const pages = collectPages(limits)
  splitText(value.trimEnd(), limits.part_characters).every(pages.add)
  return { pages: pages.found, is_cut: pages.isCut(), summary: 'Document' }
}
