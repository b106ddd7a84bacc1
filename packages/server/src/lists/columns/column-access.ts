import type { Refuse } from '../../call/problem.ts'
import { openList, type CallerOfChange } from '../list-access.ts'
import type { ColumnRow, ListRow, OpenedList } from '../list-store.ts'
import { isPlaced, mostColumns, mostColumnsEver, type PlacedColumn } from './column.ts'

/** Locks the List of the path for a change of one of its columns. Throws not_found. */
export async function openColumn(
  context: CallerOfChange & { refuse: Refuse<'not_found'> },
  { list_id, column_id }: { list_id: string; column_id: string },
): Promise<{ list: OpenedList; column: ColumnRow }> {
  const list = await openList(context, list_id)
  return { list, column: requireColumn(list, column_id, context.refuse) }
}

/** A column of a List, which may be archived. Throws not_found. */
export function requireColumn(
  { columns }: ListRow,
  column_id: string,
  refuse: Refuse<'not_found'>,
): ColumnRow {
  const column = columns.find(column => column.column_id === column_id)
  if (!column) throw refuse.not_found('The List has no such column.')
  return column
}

/** Throws state_conflict if the column is archived. */
export function requirePlaced(column: ColumnRow, refuse: Refuse<'state_conflict'>): PlacedColumn {
  if (!isPlaced(column))
    throw refuse.state_conflict('The column is archived. Restore it first.', { current_status: 'archived' })
  return column
}

/** Throws state_conflict unless the column is archived. */
export function requireArchived(column: ColumnRow, refuse: Refuse<'state_conflict'>): void {
  if (isPlaced(column))
    throw refuse.state_conflict('Only an archived column can be restored.', { current_status: 'active' })
}

/** Throws limit_reached if the List has as many columns that are not archived as it can have. */
export function requireFewColumns({ columns }: OpenedList, refuse: Refuse<'limit_reached'>): void {
  if (columns.filter(isPlaced).length >= mostColumns)
    throw refuse.limit_reached(
      `A List can have at most ${mostColumns} columns. Archive another column first.`,
    )
}

/** Throws limit_reached if the List has as many columns as it can have, archived ones included. */
export function requireFewColumnsEver({ columns }: OpenedList, refuse: Refuse<'limit_reached'>): void {
  if (columns.length >= mostColumnsEver)
    throw refuse.limit_reached(
      `A List can have at most ${mostColumnsEver.toLocaleString('en')} columns with archived ones. Restore one of them instead.`,
    )
}
