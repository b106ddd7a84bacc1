import { lockShared, type SharedLocks } from '../../database/locks.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { rowLockOfService } from '../../rooms/visibility/place-lock-store.ts'
import { placedApprovals } from './approval-visibility-store.ts'

/**
 * Locks an approval for a change by the service itself, after its Room shared. `people`: locks of those whose authority the
 * change relies on, which are taken first.
 */
export const lockApprovalOfService = (
  tx: Transaction,
  workspace_id: string,
  approval_id: string,
  people: SharedLocks['targets'] = [],
): Promise<unknown> =>
  Promise.all([
    lockShared(tx, workspace_id, [['workspace', ''], ...people]),
    tx.run(approvalLock, { workspace_id, id: approval_id }),
  ])

const approvalLock = rowLockOfService('approval_service_lock', placedApprovals, 'approval')
