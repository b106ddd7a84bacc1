import type { ApprovalStatus } from '@wbs/contract/connections/approvals'
import { newId, type Id } from '@wbs/contract/ids'
import { updateRevision, write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { Basis } from '../../rooms/visibility/basis-store.ts'
import type { ApprovalInState } from './approval.ts'
import { isOpenSql, type ApprovalRow, type ExecutionResult } from './approval-store.ts'

/** An action that is requested, and its requester. */
export interface NewApproval extends Pick<
  ApprovalRow,
  | 'workspace_id'
  | 'connection_id'
  | 'requested_by'
  | 'requester_key_id'
  | 'asked_of_user_id'
  | 'operation'
  | 'summary'
  | 'note'
  | 'arguments'
  | 'arguments_sha256'
  | 'expires_at'
> {
  room_id: Id<'rom'>
  /** `approved` for an operation that requires no approval. */
  status: 'pending' | 'approved'
  basis: Pick<Basis, 'membership_id' | 'participant_id'>
}

/** What an event and a job name of an approval. */
export type ApprovalBrief = Pick<
  ApprovalRow,
  'workspace_id' | 'approval_id' | 'room_id' | 'connection_id' | 'operation' | 'summary' | 'requested_by'
>

/** Names a shared connection. */
interface ConnectionOfApprovals {
  workspace_id: string
  connection_id: string
}

export function insertApproval(tx: Transaction, { basis, ...given }: NewApproval, now: Date): ApprovalRow {
  const approval_id = newId('apr', now.getTime())
  tx.save(approvalInsert, {
    workspace_id: given.workspace_id,
    approval_id,
    room_id: given.room_id,
    connection_id: given.connection_id,
    requested_by: given.requested_by,
    requester_membership_id: basis.membership_id,
    requester_participant_id: basis.participant_id,
    requester_key_id: given.requester_key_id,
    asked_of_user_id: given.asked_of_user_id,
    operation: given.operation,
    summary: given.summary,
    note: given.note,
    arguments: given.arguments,
    arguments_sha256: given.arguments_sha256,
    status: given.status,
    expires_at: given.expires_at,
    now,
  })
  const at = now.toISOString()
  return {
    ...given,
    approval_id,
    saved_status: given.status,
    held_for: null,
    decided_by: null,
    decided_at: null,
    decision_note: null,
    result: null,
    revision: 1,
    created_at: at,
    updated_at: at,
  }
}

/** Saves what somebody decided about an approval that is locked. */
export function saveDecision<Row extends ApprovalRow>(
  tx: Transaction,
  approval: Row,
  { status, held_for }: ApprovalInState,
  { decided_by, note }: { decided_by: string; note: string | null },
  now: Date,
): Row {
  tx.save(decisionSave, {
    workspace_id: approval.workspace_id,
    approval_id: approval.approval_id,
    status,
    held_for,
    decided_by,
    decision_note: note,
    now: now.toISOString(),
    revision: approval.revision,
  })
  const decided = { decided_by, decided_at: now.toISOString(), decision_note: note }
  return { ...after(approval, status, now), ...decided, held_for }
}

/** Saves that an approval that is locked has ended without an action. */
export function saveEnd<Row extends ApprovalRow>(
  tx: Transaction,
  approval: Row,
  status: 'expired' | 'canceled',
  now: Date,
): Row {
  tx.save(endSave, {
    workspace_id: approval.workspace_id,
    approval_id: approval.approval_id,
    status,
    now: now.toISOString(),
    revision: approval.revision,
  })
  return { ...after(approval, status, now), held_for: null }
}

/** Saves that an approval that is locked waits for the resumption of its connection. */
export function saveHeld(tx: Transaction, approval: ApprovalRow, now: Date): void {
  tx.save(heldSave, {
    workspace_id: approval.workspace_id,
    approval_id: approval.approval_id,
    now: now.toISOString(),
    revision: approval.revision,
  })
}

/** Saves that the action of an approval that is locked is about to be sent, and gives the moment. It must be read before the commit. */
export async function saveSent(
  tx: Transaction,
  { workspace_id, approval_id }: Pick<ApprovalRow, 'workspace_id' | 'approval_id'>,
): Promise<string> {
  const [sent] = await tx.run(sentSave, { workspace_id, approval_id })
  if (!sent) throw new Error('An approval that was about to be sent had been sent.')
  return sent.sent_at
}

/** Saves what came of the action of an approval that is locked. */
export function saveResult<Row extends ApprovalRow>(
  tx: Transaction,
  approval: Row,
  result: ExecutionResult,
  now: Date,
): Row {
  const status = result.outcome === 'succeeded' ? 'executed' : 'failed'
  tx.save(resultSave, {
    workspace_id: approval.workspace_id,
    approval_id: approval.approval_id,
    status,
    result: JSON.stringify(result),
    now: now.toISOString(),
    revision: approval.revision,
  })
  return { ...after(approval, status, now), result }
}

/**
 * Lets the approvals of a connection run that waited for its resumption and have not expired. Call it with the Room locked
 * exclusively, and send a job `execute_approval` (approval-view.ts) for each.
 */
export const releaseHeldApprovals = (
  tx: Transaction,
  { workspace_id, connection_id }: ConnectionOfApprovals,
  now: Date,
): Promise<ApprovalBrief[]> => tx.run(heldRelease, { workspace_id, connection_id, now: now.toISOString() })

/**
 * Cancels the approvals of a connection that are pending or approved and not sent, for a connection that is stopped. One that
 * has expired stays for the job that records it. Call it with the Room locked exclusively, and add the event
 * `approval.canceled` (approval-view.ts) for each.
 */
export const cancelOpenApprovals = (
  tx: Transaction,
  { workspace_id, connection_id }: ConnectionOfApprovals,
  now: Date,
): Promise<ApprovalBrief[]> => tx.run(openCancel, { workspace_id, connection_id, now: now.toISOString() })

/** An approval after a statement that gives it another status. */
const after = <Row extends ApprovalRow>(approval: Row, status: ApprovalStatus, now: Date): Row => ({
  ...approval,
  status,
  saved_status: status,
  revision: approval.revision + 1,
  updated_at: now.toISOString(),
})

const briefSql = `workspace_id, id as approval_id, room_id, connection_id, operation, summary, requested_by`

const approvalInsert = write(
  'approval_insert',
  `insert into approvals (workspace_id, id, room_id, connection_id, requested_by, requester_membership_id,
     requester_participant_id, requester_key_id, asked_of_user_id, operation, summary, note, arguments, arguments_sha256,
     status, expires_at, created_at, updated_at)
   values (:workspace_id, :approval_id, :room_id, :connection_id, :requested_by, :requester_membership_id, :requester_participant_id, :requester_key_id, :asked_of_user_id, :operation, :summary, :note, :arguments, :arguments_sha256, :status, :expires_at, :now, :now)`,
)

const decisionSave = updateRevision(
  'approval_decision_save',
  `update approvals set status = :status, held_for = :held_for, decided_by = :decided_by, decision_note = :decision_note, decided_at = :now, updated_at = :now,
     revision = revision + 1
   where workspace_id = :workspace_id and id = :approval_id and revision = :revision`,
)

const endSave = updateRevision(
  'approval_end_save',
  `update approvals set status = :status, held_for = null, updated_at = :now, revision = revision + 1
   where workspace_id = :workspace_id and id = :approval_id and revision = :revision`,
)

const heldSave = updateRevision(
  'approval_held_save',
  `update approvals set held_for = 'resume', updated_at = :now, revision = revision + 1 where workspace_id = :workspace_id and id = :approval_id and revision = :revision`,
)

const sentSave = write<{ sent_at: string }>(
  'approval_sent_save',
  `update approvals set sent_at = statement_timestamp() where workspace_id = :workspace_id and id = :approval_id and sent_at is null
   returning sent_at`,
)

const resultSave = updateRevision(
  'approval_result_save',
  `update approvals set status = :status, result = :result, updated_at = :now, revision = revision + 1
   where workspace_id = :workspace_id and id = :approval_id and sent_at is not null and revision = :revision`,
)

const heldRelease = write<ApprovalBrief>(
  'approvals_held_release',
  `update approvals set held_for = null, updated_at = :now, revision = revision + 1
   where workspace_id = :workspace_id and connection_id = :connection_id and status = 'approved' and held_for = 'resume'
     and expires_at > statement_timestamp()
   returning ${briefSql}`,
)

const openCancel = write<ApprovalBrief>(
  'approvals_open_cancel',
  `update approvals as t set status = 'canceled', held_for = null, updated_at = :now, revision = revision + 1
   where workspace_id = :workspace_id and connection_id = :connection_id and ${isOpenSql('t')} and expires_at > statement_timestamp()
   returning ${briefSql}`,
)
