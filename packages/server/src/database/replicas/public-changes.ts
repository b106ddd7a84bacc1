import type { Transaction } from '../connections/writer.ts'
import { read, write, type Reader, type RowScope } from '../statement.ts'

/** Notes that a member of a Workspace changes, in this transaction, facts that everybody can read. */
export const notePublicChange = (
  tx: Pick<Transaction, 'save'>,
  { workspace_id, user_id }: { workspace_id: string; user_id: string },
): void => tx.save(publicChangeNote, { workspace_id, user_id })

/**
 * Whether the user, or anybody in the Workspace, has changed public facts in a transaction that a snapshot does not show.
 * The reader must be one of the primary.
 */
export const hasUnseenChange = async (
  primary: Reader,
  { workspace_id, user_id }: RowScope,
  snapshot: string,
): Promise<boolean> => (await primary.one(unseenChange, { workspace_id, user_id, snapshot })) !== undefined

const publicChangeNote = write(
  'public_change_note',
  `insert into public_changes (workspace_id, user_id, transaction_id) values (:workspace_id, :user_id, pg_current_xact_id())
   on conflict (workspace_id, user_id) do update set transaction_id = excluded.transaction_id`,
)

// A restored backup has the numbers of another server. Those that this server has not reached would never be seen.
const isUnseenSql = `not pg_visible_in_snapshot(transaction_id, :snapshot::pg_snapshot)
     and transaction_id < pg_snapshot_xmax(pg_current_snapshot())`

const unseenChange = read<object>(
  'public_change_unseen',
  `(select from public_changes where workspace_id = :workspace_id and ${isUnseenSql} limit 1)
   union all
   (select from public_changes where user_id = :user_id and ${isUnseenSql} limit 1)`,
  'standing',
)
