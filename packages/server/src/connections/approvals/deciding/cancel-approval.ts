import { cancelApproval } from '@wbs/contract/connections/approvals'
import { implement } from '../../../call/implement.ts'
import { requireRevision } from '../../../call/revision.ts'
import { mayCancel } from '../approval.ts'
import { beforeDecision, openApproval, requireMoveOf } from '../approval-access.ts'
import { saveDecision } from '../approval-change-store.ts'
import { approvalEvent, approvalResource, presentApproval } from '../approval-view.ts'

export const handleCancelApproval = implement(
  cancelApproval,
  async function cancelApproval({ approval_id, expected_revision, note = null }, context) {
    const { tx, caller, now, refuse } = context
    const approval = await openApproval(
      context,
      approval_id,
      mayCancel,
      'You need to be the one who requested it, with the same API key if it was one, or a person with full access to the Room.',
    )
    const next = requireMoveOf(approval, 'cancel', refuse)
    requireRevision(approval, expected_revision, ['status'], refuse)
    const canceled = saveDecision(tx, approval, next, { decided_by: caller.user_id, note }, now)
    return {
      result: { data: presentApproval(canceled) },
      revision: canceled.revision,
      resource: approvalResource(canceled),
      changed: ['status', 'decided_by', 'decided_at', 'decision_note'],
      events: [approvalEvent('approval.canceled', canceled, { reason: 'canceled' })],
    }
  },
  beforeDecision,
)
