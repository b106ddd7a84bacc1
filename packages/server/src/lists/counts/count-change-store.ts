import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { ListRow, OpenedList } from '../list-store.ts'

export type Counted = NonNullable<ListRow['counted']>

/** Stores how many members a List has, for callers who see all that the Workspace sees. The version stays. */
export function saveCount(tx: Transaction, { workspace_id, list_id }: OpenedList, counted: Counted): void {
  tx.save(countSave, { ...counted, workspace_id, list_id })
}

const countSave = write(
  'list_count_save',
  `update lists set counted_value = :value, counted_status = :status, counted_version = :version, counted_at = :at
   where workspace_id = :workspace_id and id = :list_id`,
)
