import type { listColumnEvents } from '@wbs/contract/lists/columns'
import { listSubject } from '../list-view.ts'
import type { ColumnRow, ListRow } from '../list-store.ts'

/** A column of a List for an answer, with the version of the List. */
export function presentColumn({ list_id, version, columns }: ListRow, column_id: string) {
  const { name, value_type, position } = columnOf({ columns }, column_id)
  return { column_id, name, value_type, position, list_id, version }
}

/** A column as the resource of a receipt. */
export const columnResource = (column_id: string) => ({ type: 'list_column', id: column_id }) as const

/** The event of a change of a column, whose subject is the List. */
export function columnEvent<Type extends keyof typeof listColumnEvents>(
  type: Type,
  list: ListRow,
  column_id: string,
) {
  const { name, value_type } = columnOf(list, column_id)
  return { type, subject: listSubject(list), data: { column_id, column_name: name, value_type } }
}

function columnOf({ columns }: Pick<ListRow, 'columns'>, column_id: string): ColumnRow {
  const column = columns.find(column => column.column_id === column_id)
  if (!column) throw new Error('The List does not have the column that was changed.')
  return column
}
