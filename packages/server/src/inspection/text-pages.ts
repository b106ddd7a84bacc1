import type { InspectionLimits } from './limits.ts'

/** Well-formed Unicode without NUL, as PostgreSQL stores it. Text that is so already stays as it is. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

/** Text for one line that people read: without control characters, line breaks and changes of direction. */
export const inOneLine = (text: string, length: number): string =>
  storable(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ').slice(0, length)).trim()

/** Splits text into parts of at most this length, after a line where one ends in the second half of a part. */
export function splitText(text: string, length: number): string[] {
  const parts: string[] = []
  for (let start = 0; start < text.length;) {
    const end = endOfPart(text, start, length)
    parts.push(text.slice(start, end))
    start = end
  }
  return parts
}

function endOfPart(text: string, start: number, length: number): number {
  const end = start + length
  if (end >= text.length) return text.length
  const line = text.lastIndexOf('\n', end - 1) + 1
  if (line > start + length / 2) return line
  const isLow = (text.charCodeAt(end) & 0xfc00) === 0xdc00
  return isLow && length > 1 ? end - 1 : end
}

/** The pages found so far, within the limits. */
export interface Pages {
  /** Adds a page; a long one becomes several. Says whether there is room for more. */
  add(page: string): boolean
  found: string[]
  /** Whether text was dropped. */
  isCut(): boolean
}

export function collectPages(
  limits: Pick<InspectionLimits, 'text_bytes' | 'pages' | 'page_characters'>,
): Pages {
  const found: string[] = []
  let bytesLeft = limits.text_bytes
  let cut = false
  function addPart(part: string): boolean {
    if (found.length >= limits.pages) return false
    const bytes = Buffer.byteLength(part)
    const kept = bytes <= bytesLeft ? part : startOf(part, bytesLeft)
    found.push(kept)
    bytesLeft -= Math.min(bytes, bytesLeft)
    return kept === part
  }
  return {
    found,
    isCut: () => cut,
    add(page) {
      const parts = page === '' ? [''] : splitText(storable(page), limits.page_characters)
      cut ||= !parts.every(addPart)
      return !cut
    },
  }
}

/** The longest start of the text that has at most this many bytes in UTF-8. */
const startOf = (text: string, bytes: number): string =>
  text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read)
