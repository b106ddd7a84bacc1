import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { ListRow, OpenedList } from '../list-store.ts'

export type Counted = NonNullable<ListRow['counted']>

/** Stores how many members a List has, for callers who see all that the Workspace sees. The version stays. */
export function saveCount(
  tx: Transaction,
  { workspace_id, list_id }: OpenedList,
  { value, status, version, at }: Counted,
): void {
  tx.save(countSave, [workspace_id, list_id, value, status, version, at])
}

const countSave = write(
  'list_count_save',
  `update lists set counted_value = $3, counted_status = $4, counted_version = $5, counted_at = $6
   where workspace_id = $1 and id = $2`,
)
