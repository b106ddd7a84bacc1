import type { EventDraft } from '@wbs/contract/events'
import { databaseTime } from '../../database/database-time.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { PluginOutcome } from '../../plugins/plugin.ts'
import { saveResult } from '../approvals/approval-change-store.ts'
import { lockApprovalOfService } from '../approvals/approval-service-lock-store.ts'
import { approvalOfService, type ExecutionResult } from '../approvals/approval-store.ts'
import { approvalEvent } from '../approvals/approval-view.ts'
import { failConnection } from '../fail-connection.ts'
import type { ApprovalToExecute } from './execution-store.ts'

/**
 * Saves what came of an action, with its event, unless it was given up meanwhile. If the app refuses the connection, that gets
 * the status error.
 */
export async function endExecution(
  tx: Transaction,
  sent: ApprovalToExecute & { sent_at: string },
  outcome: PluginOutcome,
): Promise<readonly EventDraft[]> {
  const { workspace_id, approval_id } = sent
  const now = await databaseTime(tx)
  // It locks the Room alone, so it comes before the lock of the approval.
  const connection =
    outcome.outcome === 'access_refused' ? await failConnection(tx, sent, now) : { events: [] }
  const [, approval] = await Promise.all([
    lockApprovalOfService(tx, workspace_id, approval_id),
    approvalOfService(tx, workspace_id, approval_id),
  ])
  if (approval?.status !== 'approved' || approval.sent_at !== sent.sent_at) return connection.events
  const result = resultOf(outcome, now)
  const ended = saveResult(tx, approval, result, now)
  const event =
    result.code === null
      ? approvalEvent('approval.executed', ended)
      : approvalEvent('approval.failed', ended, { code: result.code })
  return [event, ...connection.events]
}

function resultOf(outcome: PluginOutcome, now: Date): ExecutionResult {
  const at = now.toISOString()
  if (outcome.outcome === 'succeeded')
    return { outcome: 'succeeded', code: null, detail: null, output: outcome.output, at }
  return { outcome: 'failed', code: outcome.outcome, detail: outcome.detail, output: null, at }
}
