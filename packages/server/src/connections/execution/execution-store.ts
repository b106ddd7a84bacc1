import type { Lockable } from '../../database/locks.ts'
import { read, type Reader } from '../../database/statement.ts'
import { deciderMaySql, requesterMaySql } from '../approvals/approval-authority-store.ts'
import {
  approvalColumnsSql,
  sendingSql,
  type ApprovalRow,
  type Sending,
} from '../approvals/approval-store.ts'
import { connectionStatusSql, joinSharerSql } from '../connection-store.ts'
import type { ExecutionState } from './execution.ts'

/** An approval with what its execution depends on. */
export interface ApprovalToExecute extends ApprovalRow, Omit<Sending, 'sent_seconds'>, ExecutionState {
  status: ApprovalRow['status']
  saved_status: ApprovalRow['saved_status']
  held_for: ApprovalRow['held_for']
  plugin: string
  config: Readonly<Record<string, unknown>>
}

/** An approval for its execution. Read it under the locks of all on whom it depends. */
export const approvalToExecute = (
  reader: Reader,
  workspace_id: string,
  approval_id: string,
): Promise<ApprovalToExecute | undefined> => reader.one(toExecute, { workspace_id, approval_id })

/** The locks of the authority on which an execution depends: that of the sharer, the requester and the one who approved. */
export async function peopleOf(
  reader: Reader,
  workspace_id: string,
  approval_id: string,
): Promise<(readonly [Lockable, string])[]> {
  const found = await reader.one(people, { workspace_id, approval_id })
  if (!found) return []
  const { asked_of_user_id, requested_by, decided_by, requester_key_id } = found
  const members = [...new Set([asked_of_user_id, requested_by, ...(decided_by ? [decided_by] : [])])].sort()
  return [
    ...members.map(id => ['member', id] as const),
    ...(requester_key_id ? [['api_key', requester_key_id] as const] : []),
  ]
}

const people = read<
  Pick<ApprovalRow, 'asked_of_user_id' | 'requested_by' | 'decided_by' | 'requester_key_id'>
>(
  'approval_people',
  `select asked_of_user_id, requested_by, decided_by, requester_key_id from approvals where workspace_id = :workspace_id and id = :approval_id`,
)

const toExecute = read<ApprovalToExecute>(
  'approval_to_execute',
  `select ${approvalColumnsSql('t')}, ${sendingSql('t')}, c.plugin, c.config,
     ${connectionStatusSql} as connection_status, t.operation = any (c.allowed_operations) as is_allowed,
     ${requesterMaySql('t')} as requester_may,
     ${deciderMaySql('t', 't.operation = any (c.requires_approval)')} as decider_may,
     r.status = 'active' and coalesce(parent.status = 'active', true) as room_is_active,
     w.status = 'active' as workspace_is_active
   from approvals t
   join workspaces w on w.id = :workspace_id
   join rooms r on r.workspace_id = :workspace_id and r.id = t.room_id
   left join rooms parent on parent.workspace_id = :workspace_id and parent.id = r.parent_id
   join room_connections c on c.workspace_id = :workspace_id and c.id = t.connection_id
   ${joinSharerSql}
   where t.workspace_id = :workspace_id and t.id = :approval_id`,
)
