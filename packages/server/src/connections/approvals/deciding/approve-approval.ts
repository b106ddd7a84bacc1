import { approveApproval } from '@wbs/contract/connections/approvals'
import { implement } from '../../../call/implement.ts'
import { requireRevision } from '../../../call/revision.ts'
import { approvingWhile, mayDecide } from '../approval.ts'
import { beforeDecision, openApproval, requireMoveOf } from '../approval-access.ts'
import { saveDecision } from '../approval-change-store.ts'
import { approvalEvent, approvalResource, executeJob, presentApproval } from '../approval-view.ts'
import { onlyDeciders } from './decline-approval.ts'

export const handleApproveApproval = implement(
  approveApproval,
  async function approveApproval({ approval_id, expected_revision, arguments_sha256, note = null }, context) {
    const { tx, caller, now, refuse } = context
    const approval = await openApproval(context, approval_id, mayDecide, onlyDeciders)
    const next = requireMoveOf(approval, approvingWhile(approval.connection_status), refuse)
    if (!approval.requester_may)
      throw refuse.state_conflict(
        'Whoever requested this has lost edit access to the Room or the permission connections:use since, or their API key is no longer valid. You can decline the request.',
        { current_status: approval.status },
      )
    requireRevision(approval, expected_revision, ['status'], refuse)
    if (arguments_sha256 !== approval.arguments_sha256)
      throw refuse.unprocessable_content(
        'arguments_sha256 is not the hash of the arguments of this approval. Read it again, and approve what you have read.',
      )
    const approved = saveDecision(tx, approval, next, { decided_by: caller.user_id, note }, now)
    return {
      result: { data: presentApproval(approved) },
      revision: approved.revision,
      resource: approvalResource(approved),
      changed: ['status', 'held_for', 'decided_by', 'decided_at', 'decision_note'].filter(
        field => field !== 'held_for' || approved.held_for !== null,
      ),
      events: [approvalEvent('approval.approved', approved, { required: true, held_for: approved.held_for })],
      jobs: approved.held_for === null ? [executeJob(approved)] : [],
    }
  },
  beforeDecision,
)
