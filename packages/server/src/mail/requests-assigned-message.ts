import { formatUtc } from './format-utc.ts'
import type { MailMessage } from './mailer.ts'
import { noticeMessage, placeInWords } from './notice-message.ts'
import { plainLine, unlinkedLine } from './plain-line.ts'

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
  const place = placeInWords(
    unlinkedLine(requests.workspace_name, 100),
    unlinkedLine(requests.room_title, 100),
  )
  const counted = count === 1 ? 'One request' : `${count.toLocaleString('en-US')} requests`
  return noticeMessage({
    to,
    subject: `${counted} in the Room “${plainLine(requests.room_title, 100)}”`,
    title: count === 1 ? 'A request is assigned to you' : 'Requests are assigned to you',
    opening: `${counted} of a list ${place} ${count === 1 ? 'is' : 'are'} assigned to you.`,
    paragraphs: first_due_at ? [`The first is due by ${formatUtc(first_due_at)}.`] : [],
  })
}
