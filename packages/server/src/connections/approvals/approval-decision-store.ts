import type { ConnectionStatus } from '@wbs/contract/connections/connections'
import { read } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { basisLastsSql } from '../../rooms/visibility/basis-store.ts'
import { lockVisibleRow, visibleRowLock } from '../../rooms/visibility/place-lock-store.ts'
import {
  placeLevelRowSql,
  placeStateSql,
  type PlaceState,
} from '../../rooms/visibility/place-visibility-store.ts'
import { asViewer, type Viewer } from '../../rooms/visibility/room-visibility-store.ts'
import { connectionStatusSql, joinSharerSql } from '../connection-store.ts'
import { requesterMaySql } from './approval-authority-store.ts'
import { approvalColumnsSql, type VisibleApprovalRow } from './approval-store.ts'
import { placedApprovals } from './approval-visibility-store.ts'

/** An approval with what a decision about it depends on. */
export interface ApprovalToDecide extends VisibleApprovalRow, Omit<PlaceState, 'room_id'> {
  /** The status of the connection that counts now. */
  connection_status: ConnectionStatus
  /** Whether the sharer still has the membership and participation with which it was shared, even if it was stopped. */
  sharing_lasts: boolean
  /** Whether the requester may still ask for the action. */
  requester_may: boolean
}

/** Locks an approval that the viewer can see, and reads it under the lock. Undefined if they cannot see it. */
export const lockApproval = (
  tx: Transaction,
  viewer: Viewer,
  approval_id: string,
  seal: string,
): Promise<ApprovalToDecide | undefined> =>
  lockVisibleRow(tx, visibleApprovalLock, { viewer, id: approval_id, seal }, () =>
    tx.one(approvalToDecide, { ...asViewer(viewer), approval_id }),
  )

const visibleApprovalLock = visibleRowLock('approval_visible_lock', placedApprovals, 'approval')

const approvalToDecide = read<ApprovalToDecide>(
  'approval_to_decide',
  `select ${approvalColumnsSql('t')}, v.access_level, ${placeStateSql('t')}, ${connectionStatusSql} as connection_status,
     (${basisLastsSql('c')}) as sharing_lasts, ${requesterMaySql('t')} as requester_may
   from approvals t cross join lateral ${placeLevelRowSql('t', placedApprovals)} as v (access_level)
   join rooms r on r.workspace_id = :workspace_id and r.id = t.room_id
   join room_connections c on c.workspace_id = :workspace_id and c.id = t.connection_id
   ${joinSharerSql}
   where t.workspace_id = :workspace_id and t.id = :approval_id and v.access_level is not null`,
)
