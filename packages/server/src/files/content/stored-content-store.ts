import { lockShared } from '../../database/locks.ts'
import { read } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'

/** The last removal of a content from the store, as the transaction that names the content sees it. */
export type Removal = { ended_at: string | null } | undefined

/**
 * Locks content that is about to be named, so that it is not removed from now on. Whether it was removed before says
 * `isStored`.
 */
export async function lockContentToName(
  tx: Transaction,
  workspace_id: string,
  sha256: string,
): Promise<Removal> {
  const [, removal] = await Promise.all([
    lockShared(tx, workspace_id, [['blob', sha256]]),
    tx.one(lastRemoval, { workspace_id, sha256 }),
  ])
  return removal
}

/** Whether content that was stored after `since`, by the clock of the database, is still there. */
export const isStored = (removal: Removal, since: Date): boolean =>
  !removal || (removal.ended_at !== null && Date.parse(removal.ended_at) < since.getTime())

const lastRemoval = read<{ ended_at: string | null }>(
  'content_removal_last',
  'select ended_at from content_removals where workspace_id = :workspace_id and sha256 = :sha256',
)
