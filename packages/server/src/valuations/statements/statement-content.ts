import { csvRecords, mostFields } from '../../inspection/csv-records.ts'
import type { Table } from './statement-table.ts'

/** The most bytes of a CSV file of statements. */
export const mostBytes = 1024 * 1024

/** The most rows of a table of statements. */
export const mostRows = 1000

const tooManyRows = `The File has more than ${mostRows} rows.`

/** The cells of a CSV file, or why there are none. A byte order mark is left out. */
export function tableOfCsv(content: Uint8Array): { table: Table } | { fault: string } {
  const text = utf8(content)
  const table = text === undefined ? undefined : csvRecords(text, mostRows + 1)
  if (!table)
    return { fault: `The content of the File is not CSV in UTF-8 with at most ${mostFields} cells.` }
  return table.length > mostRows ? { fault: tooManyRows } : { table }
}

function utf8(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return undefined
  }
}

/**
 * The cells of a sheet, from the text that was found in the workbook when it was uploaded: a line for each row, with tabs between its
 * cells.
 */
export function tableOfSheet(text: string): { table: Table } | { fault: string } {
  if (fieldsOf(text) > mostFields) return { fault: `The sheet has more than ${mostFields} cells.` }
  const rows = text.split('\n')
  return rows.length > mostRows ? { fault: tooManyRows } : { table: rows.map(row => row.split('\t')) }
}

function fieldsOf(text: string): number {
  let fields = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x09 || code === 0x0a) fields++
  }
  return fields
}
