import { randomUUIDv7 } from 'node:crypto'
import type { ValueType } from '@wbs/contract/typed-values'
import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { saveNextVersion } from '../list-change-store.ts'
import type { ColumnRow, OpenedList } from '../list-store.ts'
import { changedColumns, isPlaced, withLast } from './column.ts'

/** Inserts a column as the last one of a List, as a new version of it. */
export function insertColumn(
  tx: Transaction,
  list: OpenedList,
  { name, value_type }: { name: string; value_type: ValueType },
  now: Date,
): { list: OpenedList; column_id: string } {
  const column_id = randomUUIDv7()
  const position = list.columns.filter(isPlaced).length
  const columns = withLast(list.columns, { column_id, name, value_type, position, archived_at: null })
  tx.save(columnInsert, { ...list, column_id, name, value_type, position, now })
  return { list: saveNextVersion(tx, { ...list, columns }, now), column_id }
}

/** Saves the names, the positions and the archiving of the columns of a List, as a new version of it. */
export function saveColumns(tx: Transaction, list: OpenedList, columns: ColumnRow[], now: Date): OpenedList {
  const changed = changedColumns(list.columns, columns)
  tx.save(columnsSave, { ...list, columns: JSON.stringify(changed) })
  return saveNextVersion(tx, { ...list, columns }, now)
}

const columnInsert = write(
  'list_column_insert',
  `insert into list_columns (workspace_id, list_id, id, name, value_type, position, created_at)
   values (:workspace_id, :list_id, :column_id, :name, :value_type, :position, :now)`,
)

const columnsSave = write(
  'list_columns_save',
  `update list_columns c set name = n.name, position = n.position, archived_at = n.archived_at
   from jsonb_to_recordset(:columns::jsonb) as n (column_id uuid, name text, position integer, archived_at timestamptz)
   where c.workspace_id = :workspace_id and c.list_id = :list_id and c.id = n.column_id`,
)
