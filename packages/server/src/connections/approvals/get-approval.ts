import { getApproval } from '@wbs/contract/connections/approvals'
import { implement } from '../../call/implement.ts'
import { requireApproval } from './approval-access.ts'
import { approvalAnswer } from './approval-view.ts'

export const handleGetApproval = implement(getApproval, async function getApproval({ approval_id }, context) {
  return approvalAnswer(await requireApproval(context, context.read, approval_id))
})
