import { isPresentation, isWord, isWorkbook } from '../content-types.ts'
import { count, cutNote, type Findings } from '../read-text.ts'
import type { ChildTask } from '../child-protocol.ts'
import { Protected, type ReadDocument } from './document.ts'
import type { Found } from './find-type.ts'
import { nameOfType } from './type-names.ts'

/** Reads the text of a document. Throws Unreadable if it is broken. */
export async function readDocument(bytes: Buffer, found: Found, task: ChildTask): Promise<Findings> {
  const name = found.is_encrypted_office ? 'Office document' : nameOfType(found.mime)
  const reader = await readerOf(found, task.is_whole)
  if (reader === null)
    return { error: null, text: { status: 'none', pages: [] }, summary: summaryOf(found, name) }
  try {
    const { pages, is_cut, summary } = await reader(bytes, task.limits)
    return { error: null, text: { status: 'ready', pages }, summary: summary + (is_cut ? cutNote : '') }
  } catch (error) {
    if (error instanceof Protected) return unread(`${name}, protected by a password`)
    if (error instanceof RangeError) return unread(name) // Nested deeper than the stack allows.
    throw error
  }
}

const unread = (summary: string | null): Findings => ({
  error: null,
  text: { status: 'failed', pages: [] },
  summary,
})

type Reader = (bytes: Buffer, limits: ChildTask['limits']) => Promise<ReadDocument>

/** Null for content of which no text is read. */
async function readerOf({ mime, is_encrypted_office }: Found, isWhole: boolean): Promise<Reader | null> {
  if (!isWhole) return null
  if (is_encrypted_office) return () => Promise.reject(new Protected())
  if (mime === 'application/pdf') return (await import('./read-pdf.ts')).readPdf
  if (isWord(mime)) return (await import('./read-docx.ts')).readDocx
  if (isWorkbook(mime)) return (await import('./read-xlsx.ts')).readXlsx
  return null
}

function summaryOf({ mime, parts }: Found, name: string | null): string | null {
  if (parts.length === 0) return name
  if (isPresentation(mime))
    return `${name}, ${count(parts.filter(part => /^ppt\/slides\/[^/]+\.xml$/.test(part)).length, 'slide')}`
  if (mime === 'application/zip')
    return `${name}, ${count(parts.filter(part => !part.endsWith('/')).length, 'file')}`
  return name
}
