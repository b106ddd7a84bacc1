import type { EventDraft } from '@wbs/contract/events'
import type { SystemChange } from '../../call/system-change.ts'
import { databaseTime } from '../../database/database-time.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { JobHandlers } from '../../jobs/job-kinds.ts'
import { saveEnd, saveResult } from './approval-change-store.ts'
import { lockApprovalOfService } from './approval-service-lock-store.ts'
import { approvalOfService, type ApprovalRow, type Sending } from './approval-store.ts'
import { approvalEvent, expireJob } from './approval-view.ts'
import type { JobDraft } from '../../jobs/job-kinds.ts'

/** After how many seconds without a result an action that was sent counts as lost, with the process that sent it. */
export const lostAfter = 60

/** The job that records that an action was lost, as soon as it counts as that. Nobody has to notice that its process is gone. */
export const lostJob = (
  { workspace_id, approval_id }: Pick<ApprovalRow, 'workspace_id' | 'approval_id'>,
  sent_at: string,
): JobDraft => ({
  kind: 'expire_approval',
  data: { workspace_id, approval_id },
  due: new Date(Math.ceil(Date.parse(sent_at)) + lostAfter * 1000 + 1).toISOString(),
})

/**
 * Records that an approval has expired, or that it was canceled because its connection had ended. Its status has shown that
 * since. Of an action that was sent, it records that it was lost.
 */
export const expireApproval =
  ({ change }: { change: SystemChange }): JobHandlers['expire_approval'] =>
  ({ workspace_id, approval_id }, job) =>
    change(workspace_id, job, tx => recordEnd(tx, workspace_id, approval_id))

async function recordEnd(tx: Transaction, workspace_id: string, approval_id: string) {
  const [, approval, now] = await Promise.all([
    lockApprovalOfService(tx, workspace_id, approval_id),
    approvalOfService(tx, workspace_id, approval_id),
    databaseTime(tx),
  ])
  if (!approval) return []
  const ended = endLazily(tx, approval, now)
  if (ended.length > 0) return ended
  if (!mayEnd(approval)) return []
  if (isLost(approval)) return [endLost(tx, approval, now)]
  if (approval.sent_at !== null) return { events: [], jobs: [lostJob(approval, approval.sent_at)] }
  // The clock of the database was set back, so it is not due yet.
  return { events: [], jobs: [expireJob(approval)] }
}

const mayEnd = ({ status }: ApprovalRow): boolean => status === 'pending' || status === 'approved'

/** Saves the end of an approval that has ended by itself, and gives its event; none if it has not. */
export function endLazily(tx: Transaction, approval: ApprovalRow, now: Date): EventDraft[] {
  const { status, saved_status } = approval
  if (status === saved_status) return []
  if (status === 'expired') return [approvalEvent('approval.expired', saveEnd(tx, approval, status, now))]
  const canceled = saveEnd(tx, approval, 'canceled', now)
  return [approvalEvent('approval.canceled', canceled, { reason: 'connection_stopped' })]
}

/** Whether an action was sent so long ago without a result that nobody waits for it any more. */
const isLost = ({ status, sent_seconds }: ApprovalRow & Sending): boolean =>
  status === 'approved' && sent_seconds !== null && sent_seconds >= lostAfter

/** Saves that nobody knows what came of an action, and gives the event. It is never sent again. */
export function endLost(tx: Transaction, approval: ApprovalRow, now: Date): EventDraft {
  const failed = saveResult(
    tx,
    approval,
    {
      outcome: 'failed',
      code: 'outcome_unknown',
      detail: 'The action was sent, and its result was lost. The app may or may not have carried it out.',
      output: null,
      at: now.toISOString(),
    },
    now,
  )
  return approvalEvent('approval.failed', failed, { code: 'outcome_unknown' })
}
