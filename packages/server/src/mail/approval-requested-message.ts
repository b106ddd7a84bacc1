import type { MailMessage } from './mailer.ts'
import { mailLine, unlinkedLine } from './mail-line.ts'
import { noticeMessage, placeInWords } from './notice-message.ts'

/** An approval that the reader is asked for. */
export interface RequestedApproval {
  to: string
  /** What would be done, in one line. */
  summary: string
  /** What the requester says about it. */
  note: string | null
  connection_label: string
  workspace_name: string
  room_title: string
  requester_name: string | null
  expires_at: Date
}

/** The mail to the sharer of a connection who is asked for an approval. */
export function approvalRequestedMessage(approval: RequestedApproval): MailMessage {
  const { to, expires_at } = approval
  const requester = unlinkedLine(approval.requester_name ?? '', 80) || mailLine`Somebody`
  const connection = unlinkedLine(approval.connection_label, 100)
  const said = unlinkedLine(approval.note ?? '', 2000)
  return noticeMessage({
    to,
    subject: mailLine`Approval asked for: ${unlinkedLine(approval.summary, 150)}`,
    title: mailLine`Your approval is asked for`,
    opening: mailLine`${requester} asks for your approval ${placeInWords(approval)}, to do this through “${connection}”, which you shared: “${unlinkedLine(approval.summary, 200)}”`,
    paragraphs: [
      ...(said === '' ? [] : [mailLine`${requester} writes: “${said}”`]),
      mailLine`Nothing happens unless it is approved by ${expires_at}. Look at the exact arguments before you approve.`,
      mailLine`If you did not expect this, decline it, or pause the connection.`,
    ],
  })
}
