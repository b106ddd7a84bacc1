import type { InputError } from '@wbs/contract/problems'
import { requestColumns, type RequestColumn } from '@wbs/contract/tasks/requests'
import { csvRecords, mostFields } from '../../inspection/csv-records.ts'
import { readCell, type CellError, type ListedRequest } from './request-cells.ts'

/** The most bytes of a CSV file of requests, and the most rows that it can have below its header. */
export const mostBytes = 1024 * 1024
export const mostRequests = 500

/** The most errors of an answer. */
export const mostErrors = 100

/** The most lines that are read: among them may be empty ones, which spreadsheets leave at the end. */
const mostLines = 5000

/** A request with the row that it has in a spreadsheet. The header is row 1. */
export interface RequestRow {
  row: number
  request: ListedRequest
}

/**
 * What a CSV file of requests holds. `fault`: it is no CSV file, or not one of at most 500 requests. `errors`: what is wrong
 * with its header or rows.
 */
export type RequestList = { fault: string } | { errors: InputError[] } | { rows: RequestRow[] }

/** Where each column of requests is in the file, as far as the file has it. */
type Places = Partial<Record<RequestColumn, number>>

/**
 * Reads a CSV file of requests, with a header. `mapping` has the headers that differ from the names of the fields. Cells are
 * text, whatever they begin with.
 */
export function readRequestList(
  content: Uint8Array,
  mapping: Partial<Record<RequestColumn, string>>,
): RequestList {
  const records = recordsOf(content)
  if (!records)
    return { fault: `The content of the File is not CSV in UTF-8 with at most ${mostFields} cells.` }
  const [header = [], ...lines] = records
  const filled = lines.flatMap((cells, index) => (isEmpty(cells) ? [] : [{ row: index + 2, cells }]))
  if (filled.length > mostRequests || records.length > mostLines)
    return { fault: `The File has more than ${mostRequests} rows below its header.` }
  const { places, errors } = placesIn(header.map(trimmed), mapping)
  if (errors.length > 0) return { errors }
  if (filled.length === 0) return { fault: 'The File has no rows below its header.' }
  const read = filled.map(({ row, cells }) => readRow(row, cells, places, header.length))
  const wrong = read.flatMap(row => row.errors)
  return wrong.length > 0 ? { errors: wrong } : { rows: read.map(({ row, request }) => ({ row, request })) }
}

/** The records of the file. Undefined if it is not CSV in UTF-8. A byte order mark is left out. */
function recordsOf(content: Uint8Array): string[][] | undefined {
  const text = utf8(content)
  return text === undefined ? undefined : csvRecords(text, mostLines + 1)
}

function utf8(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return undefined
  }
}

const trimmed = (cell: string) => cell.trim()
const isEmpty = (cells: readonly string[]) => cells.every(cell => trimmed(cell) === '')

/** Finds the columns by the header, in which names are compared exactly. */
function placesIn(
  header: readonly string[],
  mapping: Partial<Record<RequestColumn, string>>,
): { places: Places; errors: InputError[] } {
  const errors: InputError[] = []
  const places: Places = {}
  for (const column of requestColumns) {
    const name = mapping[column] ?? column
    const place = header.indexOf(name)
    const wanted = mapping[column] !== undefined
    if (place !== -1 && header.indexOf(name, place + 1) !== -1)
      errors.push(errorAt(`/file/rows/1/${column}`, 'conflict', `Two columns have the header of ${column}.`))
    else if (place !== -1) places[column] = place
    else if (wanted)
      errors.push(errorAt(`/mapping/${column}`, 'unknown', 'The File has no column with this header.'))
    else if (column === 'title')
      errors.push(
        errorAt(
          '/file/rows/1/title',
          'required',
          'The File needs a column title, or mapping.title must name it.',
        ),
      )
  }
  return { places, errors }
}

/** The request of a row, and what is wrong with it. */
function readRow(row: number, cells: readonly string[], places: Places, width: number) {
  const errors = isEmpty(cells.slice(width))
    ? []
    : [errorAt(`/file/rows/${row}`, 'unknown', 'The row has more cells than the header.')]
  const request = Object.fromEntries(
    requestColumns.map(column => {
      const place = places[column]
      const cell = readCell[column](trimmed((place === undefined ? undefined : cells[place]) ?? ''))
      if ('value' in cell) return [column, cell.value]
      errors.push(errorOfRow(row, column, cell.error))
      return [column, null]
    }),
  ) as unknown as ListedRequest
  return { row, request, errors }
}

const errorAt = (pointer: string, code: InputError['code'], detail: string): InputError => ({
  in: 'body',
  pointer,
  code,
  detail,
})

/** An error of a cell. Rows are counted as a spreadsheet shows them. */
export const errorOfRow = (row: number, column: RequestColumn, { code, detail }: CellError): InputError =>
  errorAt(`/file/rows/${row}/${column}`, code, detail)
