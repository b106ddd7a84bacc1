import type { MailMessage } from './mailer.ts'
import { mailLine, unlinkedLine, type MailLine } from './mail-line.ts'
import { noticeMessage, placeInWords } from './notice-message.ts'

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
  const creator = unlinkedLine(task.creator_name ?? '', 80)
  const described = unlinkedLine(task.description ?? '', 1000)
  const kind = kindWords[task.kind] ?? mailLine`A Task`
  return noticeMessage({
    to,
    subject: mailLine`Task: ${unlinkedLine(task.title, 150)}`,
    title: mailLine`A Task is assigned to you`,
    opening: mailLine`${kind} ${placeInWords(task)} is assigned to you: “${unlinkedLine(task.title, 200)}”`,
    paragraphs: [
      ...(described === '' ? [] : [described]),
      ...(due_at ? [mailLine`It is due by ${due_at}.`] : []),
      ...(creator === '' ? [] : [mailLine`It was created by ${creator}.`]),
    ],
  })
}

const kindWords: Record<string, MailLine> = {
  task: mailLine`A Task`,
  question: mailLine`A question`,
  evidence_request: mailLine`A request for evidence`,
}
