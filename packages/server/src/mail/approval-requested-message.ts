import { formatUtc } from './format-utc.ts'
import type { MailMessage } from './mailer.ts'
import { noticeMessage, placeInWords } from './notice-message.ts'
import { plainLine, unlinkedLine } from './plain-line.ts'

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
  const place = placeInWords(
    unlinkedLine(approval.workspace_name, 100),
    unlinkedLine(approval.room_title, 100),
  )
  const requester = unlinkedLine(approval.requester_name ?? '', 80) || 'Somebody'
  const connection = unlinkedLine(approval.connection_label, 100)
  const said = unlinkedLine(approval.note ?? '', 2000)
  return noticeMessage({
    to,
    subject: `Approval asked for: ${plainLine(approval.summary, 150)}`,
    title: 'Your approval is asked for',
    opening: `${requester} asks for your approval ${place}, to do this through “${connection}”, which you shared: “${unlinkedLine(approval.summary, 200)}”`,
    paragraphs: [
      ...(said === '' ? [] : [`${requester} writes: “${said}”`]),
      `Nothing happens unless it is approved by ${formatUtc(expires_at)}. Look at the exact arguments before you approve.`,
      'If you did not expect this, decline it, or pause the connection.',
    ],
  })
}
