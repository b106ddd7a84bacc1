import { composeMessage, type MessageParts } from './compose-message.ts'
import { mailLine, unlinkedLine, type MailLine } from './mail-line.ts'
import type { MailMessage } from './mailer.ts'

const turnedOff = mailLine`Whoever operates this service can turn off mail about Tasks and approvals with the setting SVC_TASK_MAIL=off.`

/** A mail that tells somebody what they are asked to do. It has no link: where they do it, the service does not know. */
export const noticeMessage = ({ paragraphs, ...parts }: Omit<MessageParts, 'action'>): MailMessage =>
  composeMessage({ ...parts, paragraphs: [...paragraphs, turnedOff] })

/** Where something is, for the middle of a sentence. */
export function placeInWords({
  workspace_name,
  room_title,
}: {
  workspace_name: string
  room_title: string | null
}): MailLine {
  const workspace = unlinkedLine(workspace_name, 100)
  return room_title === null
    ? mailLine`in the Workspace “${workspace}”`
    : mailLine`in the Room “${unlinkedLine(room_title, 100)}” of “${workspace}”`
}
