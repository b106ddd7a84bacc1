import { declineApproval } from '@wbs/contract/connections/approvals'
import { implement } from '../../../call/implement.ts'
import { requireRevision } from '../../../call/revision.ts'
import { mayDecide } from '../approval.ts'
import { beforeDecision, openApproval, requireMoveOf } from '../approval-access.ts'
import { saveDecision } from '../approval-change-store.ts'
import { approvalEvent, approvalResource, presentApproval } from '../approval-view.ts'

/** With what those are refused who may not decide. */
export const onlyDeciders = 'You need to be the one who is asked, or have full access to the Room.'

export const handleDeclineApproval = implement(
  declineApproval,
  async function declineApproval({ approval_id, expected_revision, note = null }, context) {
    const { tx, caller, now, refuse } = context
    const approval = await openApproval(context, approval_id, mayDecide, onlyDeciders)
    const next = requireMoveOf(approval, 'decline', refuse)
    requireRevision(approval, expected_revision, ['status'], refuse)
    const declined = saveDecision(tx, approval, next, { decided_by: caller.user_id, note }, now)
    return {
      result: { data: presentApproval(declined) },
      revision: declined.revision,
      resource: approvalResource(declined),
      changed: ['status', 'decided_by', 'decided_at', 'decision_note'],
      events: [approvalEvent('approval.declined', declined)],
    }
  },
  beforeDecision,
)
