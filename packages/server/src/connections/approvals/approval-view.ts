import type { EventDraft, EventType, FactsArgument } from '@wbs/contract/events'
import type { JobDraft } from '../../jobs/job-kinds.ts'
import type { ApprovalBrief } from './approval-change-store.ts'
import type { ApprovalRow } from './approval-store.ts'

/** An approval for an answer. */
export const presentApproval = (row: ApprovalRow) => ({
  approval_id: row.approval_id,
  room_id: row.room_id,
  connection_id: row.connection_id,
  requested_by: { type: 'user' as const, id: row.requested_by },
  asked_of_user_id: row.asked_of_user_id,
  operation: row.operation,
  summary: row.summary,
  note: row.note,
  arguments: JSON.parse(row.arguments) as Record<string, unknown>,
  arguments_sha256: row.arguments_sha256,
  status: row.status,
  held_for: row.status === 'approved' ? row.held_for : null,
  expires_at: row.expires_at,
  decided_by: row.decided_by === null ? null : { type: 'user' as const, id: row.decided_by },
  decided_at: row.decided_at,
  decision_note: row.decision_note,
  self_decided: row.decided_by === row.requested_by,
  result: row.result,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** An approval as the answer to a read, with its revision. It can expire without a new revision. */
export const approvalAnswer = (row: ApprovalRow) => ({
  result: { data: presentApproval(row) },
  revision: row.revision,
  ...(row.status !== row.saved_status && { hasUnversioned: true }),
})

type ApprovalEvent = Extract<EventType, `approval.${string}`>

/** An event about an approval. */
export const approvalEvent = <Type extends ApprovalEvent>(
  type: Type,
  { approval_id, room_id, connection_id, operation, summary }: ApprovalBrief,
  ...[data]: FactsArgument<Type, 'connection_id' | 'operation'>
) =>
  ({
    type,
    subject: { type: 'approval', id: approval_id, name: summary },
    room_id,
    data: { connection_id, operation, ...data },
  }) as EventDraft<Type>

/** The events of approvals that ended because their connection was stopped. */
export const canceledByStop = (canceled: readonly ApprovalBrief[]) =>
  canceled.map(approval => approvalEvent('approval.canceled', approval, { reason: 'connection_stopped' }))

/** The job that carries out an action, at once or when it is due. */
export const executeJob = (
  { workspace_id, approval_id }: Pick<ApprovalBrief, 'workspace_id' | 'approval_id'>,
  due?: Date,
): JobDraft => ({
  kind: 'execute_approval',
  data: { workspace_id, approval_id },
  ...(due && { due: due.toISOString() }),
})

/** The job that records that an approval has expired. */
export const expireJob = ({ workspace_id, approval_id, expires_at }: ApprovalRow): JobDraft => ({
  kind: 'expire_approval',
  data: { workspace_id, approval_id },
  due: expires_at,
})

/** The job that mails the person who is asked. */
export const askJob = ({ workspace_id, approval_id }: ApprovalRow): JobDraft => ({
  kind: 'mail_approval_requested',
  data: { workspace_id, approval_id },
})

/** An approval as the resource of a receipt. */
export const approvalResource = ({ approval_id }: Pick<ApprovalRow, 'approval_id'>) => ({
  type: 'approval' as const,
  id: approval_id,
})
