import type { MailMessage } from './mailer.ts'
import { mailLine, unlinkedLine } from './mail-line.ts'
import { noticeMessage, placeInWords } from './notice-message.ts'

/** Tasks of a request list that are assigned to the reader. */
export interface AssignedRequests {
  to: string
  count: number
  workspace_name: string
  room_title: string
  /** When the first of them is due; null if none has a time. */
  first_due_at: Date | null
}

/** The mail to an assignee of a request list, one for the whole list. */
export function requestsAssignedMessage(requests: AssignedRequests): MailMessage {
  const { to, count, first_due_at } = requests
  const isOne = count === 1
  const counted = isOne ? mailLine`One request` : mailLine`${count} requests`
  return noticeMessage({
    to,
    subject: mailLine`${counted} in the Room “${unlinkedLine(requests.room_title, 100)}”`,
    title: isOne ? mailLine`A request is assigned to you` : mailLine`Requests are assigned to you`,
    opening: mailLine`${counted} of a list ${placeInWords(requests)} ${isOne ? mailLine`is` : mailLine`are`} assigned to you.`,
    paragraphs: first_due_at ? [mailLine`The first is due by ${first_due_at}.`] : [],
  })
}
