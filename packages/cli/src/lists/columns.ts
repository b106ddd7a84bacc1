import { businessFields } from '@wbs/contract/businesses/businesses'
import { foldText } from '@wbs/server/businesses/fold'
import { CommandError } from '../command-error.ts'
import type { Column } from './list-target.ts'

/** The headers of a file of rejected rows. */
export const rejectHeaders = ['reject_line', 'reject_reason'] as const

/** Headers that have a meaning of their own: a column of a List with such a name is written with its ID. */
const reserved: ReadonlySet<string> = new Set(['id', 'name', 'source', ...businessFields, ...rejectHeaders])

export const isReserved = (header: string): boolean => reserved.has(header)

const aloneOrInBrackets = /(?:^|\[)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:$|\]$)/i

/** The columns that a text may mean: by ID, alone or in brackets after a name, by name, or by name in any case. */
export function columnsNamed(columns: readonly Column[], text: string): readonly Column[] {
  const id = aloneOrInBrackets.exec(text)?.[1]?.toLowerCase()
  const withId = columns.filter(column => column.column_id === id)
  if (withId.length > 0) return withId
  const exact = columns.filter(column => column.name === text)
  return exact.length > 0 ? exact : columns.filter(({ name }) => foldText(name) === foldText(text))
}

/** The column that a text means. Throws CommandError. */
export function requireColumn(columns: readonly Column[], text: string): Column {
  const [column, ...others] = columnsNamed(columns, text)
  if (!column) throw new CommandError(`The List has no column "${text}".`)
  if (others.length > 0) throw new CommandError(ambiguous(text, [column, ...others]))
  return column
}

const ambiguous = (text: string, columns: readonly Column[]): string =>
  `The List has ${columns.length} columns named "${text}". Name one by its ID: ${columns
    .map(({ column_id }) => column_id)
    .join(', ')}.`

export const withId = ({ name, column_id }: Column): string => `${name} [${column_id}]`

/** The header of a column: its name or, where that could mean something else, its name with its ID. */
export function headerOf(column: Column, columns: readonly Column[]): string {
  const [found, ...others] = columnsNamed(columns, column.name)
  const isClear = found?.column_id === column.column_id && others.length === 0
  return isClear && !isReserved(column.name) ? column.name : withId(column)
}
