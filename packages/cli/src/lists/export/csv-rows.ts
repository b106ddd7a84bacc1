import type { BusinessField } from '@wbs/contract/businesses/businesses'
import { csvLine } from '@wbs/server/businesses/import/rows/csv-line'
import { headerOf } from '../columns.ts'
import type { ListEntry } from '@wbs/sdk'
import { guarded } from '../formula-guard.ts'
import type { Column } from '../list-target.ts'
import { plainDecimal } from '../plain-decimal.ts'

/** What a file has of each entry. */
export interface Selection {
  fields: readonly BusinessField[]
  columns: readonly Column[]
}

export const headerLine = ({ fields, columns }: Selection, all: readonly Column[]): string =>
  csvLine(['id', 'name', 'source', ...fields, ...columns.map(column => guarded(headerOf(column, all)))])

export function entryLine(
  { member_id, subject, source, business, values }: ListEntry,
  { fields, columns }: Selection,
): string {
  const byColumn = new Map(values.map(({ column_id, value }) => [column_id, value]))
  return csvLine([
    member_id,
    guarded(subject.name ?? ''),
    source,
    ...fields.map(field => guarded(business?.[field] ?? '')),
    ...columns.map(({ column_id }) => cellOf(byColumn.get(column_id)?.value)),
  ])
}

/** Numbers and dates are never formulas: a minus sign is a part of the number. */
function cellOf(value: string | number | boolean | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return plainDecimal(value)
  return typeof value === 'boolean' ? String(value) : guarded(value)
}
