import type { ApprovalAnswer } from '@wbs/contract/connections/approvals'
import { placed } from '../../rooms/visibility/givers-access.ts'

/**
 * The approvals, with the people whom each concerns, and who gave each field. The sharer, who is asked, is always a member, but
 * one who decided may be a guest by now.
 */
export const placedApprovals = placed<ApprovalAnswer>({
  table: 'approvals',
  people: ['requested_by'],
  fields: {
    approval_id: 'nobody',
    room_id: 'nobody',
    connection_id: 'nobody',
    requested_by: 'row',
    asked_of_user_id: 'nobody',
    operation: 'row',
    summary: 'row',
    note: 'row',
    arguments: 'row',
    arguments_sha256: 'row',
    status: 'nobody',
    held_for: 'nobody',
    expires_at: 'nobody',
    decided_by: { by: 'decided_by' },
    decided_at: 'nobody',
    decision_note: { by: 'decided_by' },
    self_decided: 'nobody',
    result: 'row',
    revision: 'nobody',
    created_at: 'nobody',
    updated_at: 'nobody',
  },
})
