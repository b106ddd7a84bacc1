import type { ColumnRow } from '../list-store.ts'

/** A column that is not archived. */
export type PlacedColumn = ColumnRow & { position: number }

/** How many columns a List can have, without and with archived ones. */
export const mostColumns = 100
export const mostColumnsEver = 1_000

export const isPlaced = (column: ColumnRow): column is PlacedColumn => column.position !== null

/** The columns of a List with this one, new or restored, as the last one. */
export const withLast = (columns: readonly ColumnRow[], column: ColumnRow): ColumnRow[] =>
  inOrder(
    [...placedExcept(columns, column), { ...column, archived_at: null }],
    archivedExcept(columns, column),
  )

/** The columns of a List after one of them is archived. */
export const withArchived = (columns: readonly ColumnRow[], column: PlacedColumn, now: Date): ColumnRow[] =>
  inOrder(placedExcept(columns, column), [
    ...archivedExcept(columns, column),
    { ...column, position: null, archived_at: now.toISOString() },
  ])

/**
 * The columns of a List after one of them is renamed or moved; the others make room. A position after the last one means the
 * last one.
 */
export function withReplaced(
  columns: readonly ColumnRow[],
  column: PlacedColumn,
  { name = column.name, position = column.position }: { name?: string; position?: number },
): ColumnRow[] {
  const others = placedExcept(columns, column)
  const replaced = name === column.name ? column : { ...column, name }
  return inOrder(
    [...others.slice(0, position), replaced, ...others.slice(position)],
    archivedExcept(columns, column),
  )
}

/** The fields in which a column differs. */
export function changedFields(
  before: readonly ColumnRow[],
  after: readonly ColumnRow[],
  column_id: string,
): string[] {
  const [old, changed] = [before, after].map(columns =>
    columns.find(column => column.column_id === column_id),
  )
  return updatable.filter(field => old?.[field] !== changed?.[field])
}

const updatable = ['name', 'position'] as const

/** The columns that differ from those before: they have to be saved. */
export const changedColumns = (before: readonly ColumnRow[], after: readonly ColumnRow[]): ColumnRow[] =>
  after.filter(column => !before.includes(column))

const placedExcept = (columns: readonly ColumnRow[], { column_id }: ColumnRow) =>
  columns.filter(isPlaced).filter(column => column.column_id !== column_id)

const archivedExcept = (columns: readonly ColumnRow[], { column_id }: ColumnRow) =>
  columns.filter(column => !isPlaced(column) && column.column_id !== column_id)

/** Columns with positions from 0 without gaps, then archived ones. A column that keeps its position is the same object. */
const inOrder = (placed: readonly ColumnRow[], archived: readonly ColumnRow[]): ColumnRow[] => [
  ...placed.map((column, position) => (column.position === position ? column : { ...column, position })),
  ...archived,
]
