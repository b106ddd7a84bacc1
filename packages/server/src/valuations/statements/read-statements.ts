import type { InputError } from '@wbs/contract/problems'
import type { StatementRow } from '@wbs/contract/valuations/statements'
import {
  balanceLines,
  incomeFigures,
  incomeLines,
  type statementBases,
  type ValuationInputs,
} from '@wbs/contract/valuations/inputs'
import { namesScale, readAmount, readRate, turned, type Scale } from './statement-cells.ts'
import {
  cellName,
  columnName,
  errorAt,
  filledRows,
  findHeader,
  rowsOfLines,
  type Header,
  type NamedRows,
  type Table,
} from './statement-table.ts'

export type StatementPeriod = NonNullable<ValuationInputs['periods']>[number]

/** The most errors of an answer. */
const mostErrors = 100
const longestLabel = 200

/** A period as the caller names it. */
export interface NamedPeriod {
  /** The name of its column. */
  column: string
  key: string
  start: string
  end: string
  known_or_knowable?: boolean
}

export interface StatementSettings extends NamedRows {
  basis: (typeof statementBases)[number]
  periods: readonly NamedPeriod[]
  /** In what the amounts are. Without it, a File that says "in thousands" is refused. */
  amounts_in?: Scale
  /** Whether costs, taxes and capital expenditure stand as negative amounts. */
  costs_are_negative?: boolean
}

/** What a table holds, or what is wrong with it or with the settings. */
export type Statements =
  | { periods: StatementPeriod[]; unmapped: string[] }
  | { errors: InputError[] }
  | { fault: string }

/** The lines whose sign `costs_are_negative` turns. */
const costs: ReadonlySet<StatementRow> = new Set([
  'cost_of_sales',
  'operating_expenses',
  'owner_compensation',
  'depreciation',
  'amortization',
  'interest_expense',
  'taxes',
  'capital_expenditure',
])

/**
 * Reads financial statements from the cells of a File. Nothing is guessed and nothing is repaired: what can be read in two ways is an
 * error that names the rows or the cell as a spreadsheet shows them. `unmapped`: the labels of rows with figures that no line took.
 */
export function readStatements(table: Table, settings: StatementSettings): Statements {
  const ofPeriods = periodErrors(settings.periods)
  if (ofPeriods.length > 0) return { errors: ofPeriods }
  const place = findHeader(
    table,
    settings.periods.map(({ column }) => column),
  )
  if ('errors' in place) return place
  const { header } = place
  const filled = filledRows(table, header)
  const lines = rowsOfLines(filled, settings)
  if ('errors' in lines) return lines
  const { found } = lines
  if (found.size === 0)
    return { fault: 'No row of the File has the usual name of a line. Name the labels in mapping.' }
  const scale = scaleOf(table, header, [...found.values()], settings)
  if (typeof scale === 'object') return { errors: [scale] }
  const used = new Set(found.values())
  const read = settings.periods.map((period, at) =>
    readPeriod(table, found, header.columns[at] as number, period, { ...settings, scale }),
  )
  const errors = read.flatMap(period => period.errors)
  if (errors.length > 0) return { errors: errors.slice(0, mostErrors) }
  return {
    periods: read.map(({ period }) => period),
    unmapped: filled.flatMap(({ row, label }) => (used.has(row) ? [] : [shownLabel(label, row)])),
  }
}

const shownLabel = (label: string, row: number): string =>
  label === '' ? `Row ${row + 1}` : label.slice(0, longestLabel).toWellFormed()

function periodErrors(periods: readonly NamedPeriod[]): InputError[] {
  const keys = periods.map(({ key }) => key)
  return periods.flatMap(({ key, start, end }, at) => [
    ...(keys.indexOf(key) < at
      ? [errorAt(`/periods/${at}/key`, 'conflict', 'Two periods have the same key.')]
      : []),
    ...(end < start ? [errorAt(`/periods/${at}/end`, 'out_of_range', 'end must not be before start.')] : []),
  ])
}

/** In what the amounts are. Where the File speaks of thousands or millions, the caller must say it. */
function scaleOf(
  table: Table,
  header: Header,
  rows: readonly number[],
  { amounts_in }: StatementSettings,
): Scale | InputError {
  if (amounts_in !== undefined) return amounts_in
  const before = Math.min(...header.columns)
  for (const row of [...Array(header.row + 1).keys(), ...rows]) {
    const cells = table[row] ?? []
    const column = cells.slice(0, row <= header.row ? cells.length : before).findIndex(namesScale)
    if (column !== -1)
      return errorAt(
        '/amounts_in',
        'required',
        `Cell ${cellName(row, column)} speaks of thousands or millions. Send amounts_in.`,
      )
  }
  return 'units'
}

function readPeriod(
  table: Table,
  found: ReadonlyMap<StatementRow, number>,
  column: number,
  { key, start, end, known_or_knowable }: NamedPeriod,
  { basis, scale, costs_are_negative }: StatementSettings & { scale: Scale },
): { period: StatementPeriod; errors: InputError[] } {
  const errors: InputError[] = []
  function valueOf(line: StatementRow): [StatementRow, string][] {
    const row = found.get(line)
    if (row === undefined) return []
    const cell = table[row]?.[column] ?? ''
    const read = line === 'tax_rate' ? readRate(cell) : readAmount(cell, scale)
    if ('value' in read) {
      if (read.value === null) return []
      return [[line, costs_are_negative && costs.has(line) ? turned(read.value) : read.value]]
    }
    const { code, detail } = read.fault
    const pointer = `/file/rows/${row + 1}/${columnName(column)}`
    errors.push(errorAt(pointer, code, `Cell ${cellName(row, column)} (${line}) ${detail}`))
    return []
  }
  const income = Object.fromEntries([...incomeLines, ...incomeFigures].flatMap(valueOf))
  const balance = Object.fromEntries(balanceLines.flatMap(valueOf))
  const period: StatementPeriod = {
    key,
    start,
    end,
    basis,
    ...(known_or_knowable !== undefined && { known_or_knowable }),
    ...(Object.keys(income).length > 0 && { income }),
    ...(Object.keys(balance).length > 0 && { balance }),
  }
  return { period, errors }
}
