import type { ApprovalStatus, ExecutionFailure } from '@wbs/contract/connections/approvals'
import type { Id } from '@wbs/contract/ids'
import type { AccessLevel } from '@wbs/contract/scopes'
import { read, type Reader } from '../../database/statement.ts'
import { basisLastsSql } from '../../rooms/visibility/basis-store.ts'
import { placeLevelRowSql, knownFieldSql } from '../../rooms/visibility/place-visibility-store.ts'
import { asViewer, type Viewer } from '../../rooms/visibility/room-visibility-store.ts'
import { placedApprovals } from './approval-visibility-store.ts'

/** What came of an action. */
export interface ExecutionResult {
  outcome: 'succeeded' | 'failed'
  code: ExecutionFailure | null
  detail: string | null
  output: unknown
  at: string
}

/** An approval. Its status is the one that counts now, not always the one that was saved. */
export interface ApprovalRow {
  workspace_id: string
  approval_id: Id<'apr'>
  room_id: Id<'rom'>
  connection_id: string
  requested_by: string
  requester_key_id: string | null
  asked_of_user_id: string
  operation: string
  summary: string
  note: string | null
  /** Canonical JSON. */
  arguments: string
  arguments_sha256: string
  status: ApprovalStatus
  saved_status: ApprovalStatus
  held_for: 'resume' | null
  expires_at: string
  decided_by: string | null
  decided_at: string | null
  decision_note: string | null
  result: ExecutionResult | null
  revision: number
  created_at: string
  updated_at: string
}

/** An approval that a viewer can see, with their level in its Room. */
export interface VisibleApprovalRow extends ApprovalRow {
  access_level: AccessLevel
}

/** An approval that the viewer can see. */
export const approvalById = (
  reader: Reader,
  viewer: Viewer,
  approval_id: string,
): Promise<VisibleApprovalRow | undefined> =>
  reader.one(visibleApproval, { ...asViewer(viewer), approval_id })

/** An approval of a Workspace, for a change by the service itself. */
export const approvalOfService = (
  reader: Reader,
  workspace_id: string,
  approval_id: string,
): Promise<(ApprovalRow & Sending) | undefined> => reader.one(serviceApproval, { workspace_id, approval_id })

/** How far an approval has come with its action. */
export interface Sending {
  /** When the action was about to be sent; null before. */
  sent_at: string | null
  /** How many seconds ago that was. */
  sent_seconds: number | null
  /** Whether the time in which it can be decided and sent is over, by the clock of the database. */
  is_over: boolean
}

/** Whether the row waits for a decision, for the resumption of its connection, or for being sent. */
export const isOpenSql = (row: string) =>
  `(${row}.status = 'pending' or ${row}.status = 'approved' and ${row}.sent_at is null)`

/** Whether the connection `c` was stopped, or its sharer has lost the membership or participation with which it was shared. */
const isEndedSql = (c: string) => `(${c}.status = 'stopped' or not (${basisLastsSql(c)}))`

/** The status that counts now. `offset 0` has the connection read by its key, also where many approvals are looked through. */
export const approvalStatusSql = (row: string) => `case
  when not ${isOpenSql(row)} then ${row}.status
  when ${row}.expires_at <= statement_timestamp() then 'expired'
  when exists (
    select from room_connections ended
    where ended.workspace_id = :workspace_id and ended.id = ${row}.connection_id and ${isEndedSql('ended')} offset 0) then 'canceled'
  else ${row}.status
end`

/** The columns of an ApprovalRow. `shown` makes the column or, where a Room hides people from the viewer, an expression. */
export const approvalColumnsSql = (
  row: string,
  shown = (field: 'decided_by' | 'decision_note') => `${row}.${field}`,
) => `
  ${row}.workspace_id, ${row}.id as approval_id, ${row}.room_id, ${row}.connection_id, ${row}.requested_by,
  ${row}.requester_key_id, ${row}.asked_of_user_id, ${row}.operation, ${row}.summary, ${row}.note, ${row}.arguments,
  ${row}.arguments_sha256, ${approvalStatusSql(row)} as status, ${row}.status as saved_status, ${row}.held_for,
  ${row}.expires_at, ${shown('decided_by')} as decided_by, ${row}.decided_at,
  ${shown('decision_note')} as decision_note, ${row}.result, ${row}.revision,
  ${row}.created_at, ${row}.updated_at`

/** A field, or null if the Room hides whoever gave it from the viewer. */
export const knownFieldOf = (row: string, access_level: string) => (field: 'decided_by' | 'decision_note') =>
  knownFieldSql(row, access_level, placedApprovals, field)

/** The columns of Sending. */
export const sendingSql = (row: string) => `${row}.sent_at,
  extract(epoch from statement_timestamp() - ${row}.sent_at)::float8 as sent_seconds,
  ${row}.expires_at <= statement_timestamp() as is_over`

const visibleApproval = read<VisibleApprovalRow>(
  'approval_visible',
  `select ${approvalColumnsSql('t', knownFieldOf('t', 'v.access_level'))}, v.access_level
   from approvals t cross join lateral ${placeLevelRowSql('t', placedApprovals)} as v (access_level)
   where t.workspace_id = :workspace_id and t.id = :approval_id and v.access_level is not null`,
)

const serviceApproval = read<ApprovalRow & Sending>(
  'approval_of_service',
  `select ${approvalColumnsSql('t')}, ${sendingSql('t')} from approvals t where t.workspace_id = :workspace_id and t.id = :approval_id`,
)
