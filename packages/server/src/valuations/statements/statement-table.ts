import type { InputError } from '@wbs/contract/problems'
import { statementRows, type StatementRow } from '@wbs/contract/valuations/statements'
import { folded, usualLine } from './statement-lines.ts'

/** The cells of a sheet or of a CSV file, as text: rows of columns. */
export type Table = readonly (readonly string[])[]

/** How the caller says which rows are lines. */
export interface NamedRows {
  /** The labels of lines that are not named as usual. */
  mapping?: Partial<Record<StatementRow, string>>
  /** The numbers of rows, as a spreadsheet shows them, of lines whose labels are not enough. */
  rows?: Partial<Record<StatementRow, number>>
}

export const errorAt = (pointer: string, code: InputError['code'], detail: string): InputError => ({
  in: 'body',
  pointer,
  code,
  detail,
})

/** The name of a column as a spreadsheet shows it: A, B, …, Z, AA. */
export function columnName(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : columnName(Math.floor(column / 26) - 1) + last
}

/** The name of a cell as a spreadsheet shows it, such as C12. Both are counted from 0. */
export const cellName = (row: number, column: number): string => `${columnName(column)}${row + 1}`

/** How far down the row with the names of the periods may be. */
const headerRows = 50

/** The row with the names of the periods, and the column of each. Both are counted from 0. */
export interface Header {
  row: number
  columns: number[]
}

/** Finds the first row that has the names of all periods. What is above it is not read. */
export function findHeader(
  table: Table,
  names: readonly string[],
): { header: Header } | { errors: InputError[] } {
  const wanted = names.map(folded)
  const repeated = wanted.flatMap((name, at) =>
    wanted.indexOf(name) < at
      ? [errorAt(`/periods/${at}/column`, 'conflict', 'Two periods name the same column.')]
      : [],
  )
  if (repeated.length > 0) return { errors: repeated }
  const rows = table.slice(0, headerRows).map(cells => placesIn(cells, wanted))
  const found = rows.map(places => places.filter(({ length }) => length > 0).length)
  const most = Math.max(0, ...found)
  const row = found.indexOf(most)
  const places = rows[row] ?? []
  const errors = wanted.flatMap((_, at) => faultOfColumn(places[at] ?? [], row, at))
  return errors.length > 0
    ? { errors }
    : { header: { row, columns: places.map(([column]) => column as number) } }
}

/** For each name, the columns whose cell has it. */
function placesIn(cells: readonly string[], names: readonly string[]): number[][] {
  const places = new Map<string, number[]>(names.map(name => [name, []]))
  for (const [column, cell] of cells.entries()) if (cell !== '') places.get(folded(cell))?.push(column)
  return names.map(name => places.get(name) ?? [])
}

function faultOfColumn(columns: readonly number[], row: number, at: number): InputError[] {
  const [first, second] = columns
  const pointer = `/periods/${at}/column`
  if (first === undefined)
    return [
      errorAt(
        pointer,
        'unknown',
        `No column has this name. One of the first ${headerRows} rows must have the names of all periods.`,
      ),
    ]
  if (second === undefined) return []
  const detail = `The cells ${cellName(row, first)} and ${cellName(row, second)} both have this name.`
  return [errorAt(pointer, 'conflict', detail)]
}

/** A row below the header that has a figure in the column of a period. */
export interface FilledRow {
  /** Counted from 0. */
  row: number
  label: string
}

/** The rows with figures. The label is the first filled cell before the columns of the periods, so it may be indented by columns. */
export function filledRows(table: Table, { row: header, columns }: Header): FilledRow[] {
  const before = Math.min(...columns)
  return table.flatMap((cells, row) => {
    if (row <= header || columns.every(column => (cells[column] ?? '').trim() === '')) return []
    return [
      {
        row,
        label:
          cells
            .slice(0, before)
            .find(cell => cell.trim() !== '')
            ?.trim() ?? '',
      },
    ]
  })
}

/** Which row each line has. `rows` comes before the mapping, and the mapping before the usual names. */
export function rowsOfLines(
  filled: readonly FilledRow[],
  { mapping = {}, rows = {} }: NamedRows,
): { found: Map<StatementRow, number> } | { errors: InputError[] } {
  const found = new Map<StatementRow, number>()
  const errors: InputError[] = []
  const lineOfRow = new Map<number, StatementRow>()
  function take(line: StatementRow, row: number, pointer: string): void {
    const other = lineOfRow.get(row)
    if (other !== undefined)
      return void errors.push(errorAt(pointer, 'conflict', `Row ${row + 1} is named for ${other} too.`))
    lineOfRow.set(row, line)
    found.set(line, row)
  }

  for (const line of statementRows) {
    const row = rows[line]
    if (row === undefined) continue
    if (mapping[line] !== undefined)
      errors.push(errorAt(`/rows/${line}`, 'conflict', `Send only one of rows.${line} and mapping.${line}.`))
    else if (!filled.some(cell => cell.row === row - 1))
      errors.push(errorAt(`/rows/${line}`, 'unknown', `Row ${row} has no figure of a period.`))
    else take(line, row - 1, `/rows/${line}`)
  }

  const byLabel = Map.groupBy(filled, ({ label }) => folded(label))
  for (const line of statementRows) {
    const label = mapping[line]
    if (label === undefined || rows[line] !== undefined) continue
    const [one, another] = byLabel.get(folded(label)) ?? []
    const pointer = `/mapping/${line}`
    if (!one) errors.push(errorAt(pointer, 'unknown', 'No row with a figure has this label.'))
    else if (another) errors.push(errorAt(pointer, 'conflict', bothRows(one, another, line)))
    else take(line, one.row, pointer)
  }

  const usual = filled.filter(({ row }) => !lineOfRow.has(row))
  const byLine = Map.groupBy(usual, ({ label }) => usualLine(label))
  for (const line of statementRows) {
    const [one, another] = byLine.get(line) ?? []
    if (!one || mapping[line] !== undefined || rows[line] !== undefined) continue
    if (another) errors.push(errorAt(`/mapping/${line}`, 'conflict', bothRows(one, another, line)))
    else take(line, one.row, `/mapping/${line}`)
  }
  return errors.length > 0 ? { errors } : { found }
}

const bothRows = (filled: FilledRow, another: FilledRow, line: StatementRow): string =>
  `The rows ${filled.row + 1} and ${another.row + 1} can both be ${line}. Name the right one in mapping or rows.`
