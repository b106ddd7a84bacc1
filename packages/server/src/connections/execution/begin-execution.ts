import type { EventDraft } from '@wbs/contract/events'
import type { SystemOutcome } from '../../call/system-change.ts'
import { databaseTime } from '../../database/database-time.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { saveEnd, saveHeld, saveSent } from '../approvals/approval-change-store.ts'
import { lockApprovalOfService } from '../approvals/approval-service-lock-store.ts'
import { approvalEvent } from '../approvals/approval-view.ts'
import { endLazily, endLost, lostAfter, lostJob } from '../approvals/expire-approval.ts'
import { verdictOn, type Verdict } from './execution.ts'
import { approvalToExecute, peopleOf, type ApprovalToExecute } from './execution-store.ts'

/** Names an approval. */
export interface ApprovalKey {
  workspace_id: string
  approval_id: string
}

/** How an execution goes on after its first transaction. */
export type Begun =
  /** The action is to be sent: that is saved, and nobody else sends it. */
  | { sent: ApprovalToExecute & { sent_at: string } }
  /** Somebody else has sent it, and may still save the result. */
  | { sent: 'by another' }
  | { sent: 'not' }

/**
 * Judges under locks whether an approved action is sent now, and saves that it is about to be, that it waits, or that it has
 * ended. Call the app only after the commit.
 */
export async function beginExecution(
  tx: Transaction,
  { workspace_id, approval_id }: ApprovalKey,
): Promise<{ begun: Begun; outcome: SystemOutcome }> {
  const people = await peopleOf(tx, workspace_id, approval_id)
  const [, approval, now] = await Promise.all([
    lockApprovalOfService(tx, workspace_id, approval_id, people),
    approvalToExecute(tx, workspace_id, approval_id),
    databaseTime(tx),
  ])
  const nothing: SystemOutcome = { events: [], jobs: [] }
  if (!approval) return { begun: { sent: 'not' }, outcome: nothing }
  const verdict = verdictOn(approval, lostAfter)
  if (verdict.do === 'wait') return { begun: { sent: 'by another' }, outcome: nothing }
  if (verdict.do === 'send') {
    const sent_at = await saveSent(tx, approval)
    return {
      begun: { sent: { ...approval, sent_at } },
      outcome: { events: [], jobs: [lostJob(approval, sent_at)] },
    }
  }
  return {
    begun: { sent: 'not' },
    outcome: { events: saveVerdict(tx, approval, verdict, now), jobs: [] },
  }
}

/** Saves that an approval ends or waits instead of being sent, and gives the events. */
function saveVerdict(
  tx: Transaction,
  approval: ApprovalToExecute,
  verdict: Exclude<Verdict, { do: 'wait' | 'send' }>,
  now: Date,
): EventDraft[] {
  if (verdict.do === 'end') return endLazily(tx, approval, now)
  if (verdict.do === 'give_up') return [endLost(tx, approval, now)]
  if (verdict.do === 'hold') saveHeld(tx, approval, now)
  if (verdict.do !== 'cancel') return []
  const canceled = saveEnd(tx, approval, 'canceled', now)
  return [approvalEvent('approval.canceled', canceled, { reason: verdict.reason })]
}
