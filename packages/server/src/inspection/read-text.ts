import type { InspectionLimits } from './limits.ts'
import { collectPages, splitText } from './text-pages.ts'
import type { TextFormat } from './content-types.ts'

/** What is known of a content after it was read. */
export interface Findings {
  error: 'unreadable' | 'type_mismatch' | null
  text: { status: 'ready' | 'none' | 'failed'; pages: string[] }
  summary: string | null
}

/** Reads text, which is valid UTF-8 without NUL. Its pages together are the text, byte for byte, up to the limit. */
export async function readText(
  bytes: Uint8Array,
  format: TextFormat,
  limits: InspectionLimits,
): Promise<Findings> {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  if (format === 'json' && bytes.length <= limits.json_bytes && !isJson(text))
    return { error: 'type_mismatch', text: { status: 'none', pages: [] }, summary: null }
  const pages = collectPages(limits)
  splitText(text, limits.part_characters).every(pages.add)
  const summary = (await describe(text, format)) + (pages.isCut() ? cutNote : '')
  return { error: null, text: { status: 'ready', pages: pages.found }, summary }
}

/** Ends a summary if text was dropped. */
export const cutNote = ', only the start of its text'

/** A byte order mark is allowed, because many programs write one. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''))
    return true
  } catch {
    return false
  }
}

async function describe(text: string, format: TextFormat): Promise<string> {
  if (format === 'json') return 'JSON'
  if (format === 'csv' || format === 'tsv') return describeTable(text, format)
  return `${format === 'markdown' ? 'Markdown' : 'Text'}, ${count(linesOf(text), 'line')}`
}

export const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`

function linesOf(text: string): number {
  let lines = 0
  for (let at = 0; at < text.length; lines++) {
    const end = text.indexOf('\n', at)
    if (end === -1) return lines + 1
    at = end + 1
  }
  return lines
}

async function describeTable(text: string, format: 'csv' | 'tsv'): Promise<string> {
  const name = format.toUpperCase()
  const { parse } = await import('csv-parse/sync')
  let rows = 0
  let columns = 0
  function countRow(row: string[]) {
    rows++
    columns = Math.max(columns, row.length)
    return null // Kept rows would take memory.
  }
  const delimiter = format === 'tsv' ? '\t' : delimiterOf(text)
  try {
    parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      on_record: countRow,
    })
  } catch {
    return name // A quote that is never closed: the rows cannot be told.
  }
  return `${name}, ${count(rows, 'row')}, ${count(columns, 'column')}`
}

/** A comma, or what some languages' spreadsheets write instead, whichever the first line has most of. */
function delimiterOf(text: string): string {
  const line = text.slice(0, 10_000).split('\n', 1)[0] ?? ''
  const times = (delimiter: string) => line.split(delimiter).length
  return [',', ';', '\t'].reduce((best, next) => (times(next) > times(best) ? next : best))
}
