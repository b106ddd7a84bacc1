import { messageHtml } from './message-html.ts'
import type { MailMessage } from './mailer.ts'

/** The parts of a notice. What people wrote must be lines of `unlinkedLine`, in the subject of `plainLine`. */
interface Notice {
  to: string
  subject: string
  title: string
  opening: string
  paragraphs: readonly string[]
}

const turnedOff =
  'Whoever operates this service can turn off mail about Tasks and approvals with the setting SVC_TASK_MAIL=off.'

/** A mail that tells somebody what they are asked to do. It has no link: where they do it, the service does not know. */
export const noticeMessage = ({ to, subject, title, opening, paragraphs }: Notice): MailMessage => ({
  to,
  subject,
  text: [opening, ...paragraphs, turnedOff, ''].join('\n\n'),
  html: messageHtml({ title, opening, paragraphs: [...paragraphs, turnedOff] }),
})

/** Where something is, for the middle of a sentence. Both names must be lines of `unlinkedLine`. */
export const placeInWords = (workspace: string, room: string | null): string =>
  room === null ? `in the Workspace “${workspace}”` : `in the Room “${room}” of “${workspace}”`
