import { formatUtc } from './format-utc.ts'
import type { MailMessage } from './mailer.ts'
import { noticeMessage, placeInWords } from './notice-message.ts'
import { plainLine, unlinkedLine } from './plain-line.ts'

/** A Task that is assigned to the reader. */
export interface AssignedTask {
  to: string
  title: string
  description: string | null
  kind: string
  workspace_name: string
  /** Null if the Task is in no Room. */
  room_title: string | null
  creator_name: string | null
  due_at: Date | null
}

/** The mail to the assignee of a Task. */
export function taskAssignedMessage(task: AssignedTask): MailMessage {
  const { to, due_at } = task
  const place = placeInWords(
    unlinkedLine(task.workspace_name, 100),
    task.room_title === null ? null : unlinkedLine(task.room_title, 100),
  )
  const creator = unlinkedLine(task.creator_name ?? '', 80)
  const described = unlinkedLine(task.description ?? '', 1000)
  return noticeMessage({
    to,
    subject: `Task: ${plainLine(task.title, 150)}`,
    title: 'A Task is assigned to you',
    opening: `${kindWords[task.kind] ?? 'A Task'} ${place} is assigned to you: “${unlinkedLine(task.title, 200)}”`,
    paragraphs: [
      ...(described === '' ? [] : [described]),
      ...(due_at ? [`It is due by ${formatUtc(due_at)}.`] : []),
      ...(creator === '' ? [] : [`It was created by ${creator}.`]),
    ],
  })
}

const kindWords: Record<string, string> = {
  task: 'A Task',
  question: 'A question',
  evidence_request: 'A request for evidence',
}
