import type { InputError } from '@wbs/contract/problems'
import type { ColumnRow, ListRow } from '../list-store.ts'
import { isPlaced } from '../columns/column.ts'
import { memberExpected } from '../members/member-access.ts'
import { typeError, type GivenCell } from './given-value.ts'

/** What is wrong with cells for a List: members it does not have, columns that take no values, and values of other types. */
export function cellErrors(
  cells: readonly GivenCell[],
  { columns }: ListRow,
  members: ReadonlyMap<string, unknown>,
): InputError[] {
  const byId = new Map(columns.map(column => [column.column_id, column]))
  return cells.flatMap((cell, position) => {
    const at = `/values/${position}`
    return [
      ...(members.has(cell.member_id) ? [] : [memberError(at)]),
      ...columnErrors(cell, byId.get(cell.column_id), at),
    ]
  })
}

const memberError = (at: string): InputError => ({
  in: 'body',
  pointer: `${at}/member_id`,
  code: 'unknown',
  detail: memberExpected,
})

function columnErrors({ value }: GivenCell, column: ColumnRow | undefined, at: string): InputError[] {
  const place = { in: 'body', pointer: `${at}/column_id` } as const
  if (!column) return [{ ...place, code: 'unknown', detail: 'The List has no such column.' }]
  if (!isPlaced(column))
    return [{ ...place, code: 'conflict', detail: 'The column is archived. Restore it first.' }]
  return [typeError(value, column, `${at}/value`)].filter(error => error !== null)
}
