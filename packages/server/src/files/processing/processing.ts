import type { ProcessingError } from '@wbs/contract/files/version-schema'
import type { Inspection } from '../../inspection/inspector.ts'
import type { VersionRow } from '../file-store.ts'
import type { Findings } from './version-store.ts'

/** The text of a version that is kept to be read in pages: at most so many bytes. */
const mostTextBytes = 10 * 1024 * 1024

/** What the inspection of a version leads to. */
export type Processed = { error: ProcessingError } | { error: null; findings: Findings }

export function processed({ error, content_type, is_text, text, summary }: Inspection): Processed {
  if (error) return { error }
  // Pages of content that is text are read from the content itself.
  const pages = is_text ? [] : firstPages(text.pages.map(withoutNul))
  return { error: null, findings: { content_type, is_text, summary, text_status: text.status, pages } }
}

/** PostgreSQL stores no NUL in text. */
const withoutNul = (text: string): string => text.replaceAll('\0', '')

function firstPages(pages: readonly string[]): string[] {
  let bytes = 0
  const end = pages.findIndex(page => (bytes += Buffer.byteLength(page)) > mostTextBytes)
  return end === -1 ? [...pages] : pages.slice(0, end)
}

/**
 * Whether a version that is ready becomes the current one: it is newer than the current one, or the current one was never
 * ready.
 */
export const takesOver = (ready: VersionRow, current: VersionRow): boolean =>
  current.processing_status !== 'ready' || ready.version_number > current.version_number
