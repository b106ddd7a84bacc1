import type { ColumnRow } from '../list-store.ts'

/** The order of the entries of a page: by name, or by the value of a column. */
export interface EntryOrder {
  by: 'name' | Pick<ColumnRow, 'column_id' | 'value_type'>
  isDescending: boolean
}

/** The order that the parameter sort names; undefined if the List has no such column, or it is archived. */
export function readOrder(sort: string, columns: readonly ColumnRow[]): EntryOrder | undefined {
  const isDescending = sort.startsWith('-')
  const key = sort.slice(isDescending ? 1 : 0).toLowerCase()
  const by = key === 'name' ? key : columns.find(column => column.column_id === key)
  return by && { by, isDescending }
}

/** The same text for the same order. */
export const textOfOrder = ({ by, isDescending }: EntryOrder): string =>
  `${isDescending ? '-' : ''}${by === 'name' ? by : by.column_id}`
