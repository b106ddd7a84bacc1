import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { OpenedList } from '../list-store.ts'
import type { WantedOverride } from './override.ts'

/** Sets the override of a Business in a List, in place of an earlier one. */
export function saveOverride(
  tx: Transaction,
  { workspace_id, list_id }: OpenedList,
  wanted: WantedOverride,
  user_id: string,
  now: Date,
): void {
  tx.save(overrideSave, { ...wanted, workspace_id, list_id, user_id, now })
}

/** Removes the override of a Business in a List. */
export function deleteOverride(
  tx: Transaction,
  { workspace_id, list_id }: OpenedList,
  member_id: string,
): void {
  tx.save(overrideDelete, { workspace_id, list_id, member_id })
}

const overrideSave = write(
  'list_override_save',
  `insert into list_overrides (workspace_id, list_id, member_id, mode, reason, expires_at, set_by, set_at)
   values (:workspace_id, :list_id, :member_id, :mode, :reason, :expires_at, :user_id, :now)
   on conflict (workspace_id, list_id, member_id) do update
     set mode = excluded.mode, reason = excluded.reason, expires_at = excluded.expires_at, set_by = excluded.set_by,
       set_at = excluded.set_at`,
)

const overrideDelete = write(
  'list_override_delete',
  'delete from list_overrides where workspace_id = :workspace_id and list_id = :list_id and member_id = :member_id',
)
