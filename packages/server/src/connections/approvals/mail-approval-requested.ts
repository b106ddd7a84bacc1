import type { SendNotice } from '../../call/notices/notice.ts'
import type { Reader, RowScope } from '../../database/statement.ts'
import { emailKey } from '../../identity/email-address.ts'
import type { JobHandlers } from '../../jobs/job-kinds.ts'
import { approvalRequestedMessage } from '../../mail/approval-requested-message.ts'
import { userInWorkspace } from '../../rooms/access/access-explanation-store.ts'
import { approvalToMail, askedUser } from './approval-mail-store.ts'

interface Parts {
  readers: { scoped(scope: RowScope): Reader }
  sendNotice: SendNotice
  /** Whether those who are asked for an approval get mail. */
  taskMail: boolean
}

/**
 * Mails the sharer of a connection that their approval is asked for. Does nothing unless it is still pending, they may decide
 * it, what they shared the connection by still lasts, and they have an address.
 */
export const mailApprovalRequested =
  ({ readers, sendNotice, taskMail }: Parts): JobHandlers['mail_approval_requested'] =>
  async ({ workspace_id, approval_id }, job) => {
    if (!taskMail) return
    const reader = readers.scoped({ workspace_id, user_id: null })
    const user_id = await askedUser(reader, workspace_id, approval_id)
    if (user_id === undefined) return
    const { viewer, permissions } = await userInWorkspace(reader, workspace_id, user_id)
    // The sharer is always a member.
    if (!permissions?.has('approvals:read') || !permissions.has('approvals:decide')) return
    const approval = await approvalToMail(reader, viewer, approval_id)
    const to = approval?.email ? emailKey(approval.email) : null
    if (!approval || to === null) return
    const { requested_by: sender_user_id, room_id } = approval
    const expires_at = new Date(approval.expires_at)
    await sendNotice(
      { workspace_id, sender_user_id, recipient_user_id: user_id, room_id, about: 'approval', things: 1 },
      approvalRequestedMessage({ ...approval, to, expires_at }),
      job,
    )
  }
