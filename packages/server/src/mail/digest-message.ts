import type { MailMessage } from './mailer.ts'
import { mailLine, unlinkedLine, type MailLine } from './mail-line.ts'
import { noticeMessage } from './notice-message.ts'

/** What was asked of the reader in one place without a mail for each. */
export interface DigestPlace {
  /** Null for what is in no Room. */
  room: { room_id: string; title: string } | null
  tasks: number
  approvals: number
}

/** What is not mailed one by one, because too much was sent in an hour. */
export interface Digest {
  to: string
  workspace_name: string
  /** At least one. */
  places: readonly DigestPlace[]
}

/** How many places are named; those behind them are counted. */
const mostNamed = 20

/** The one mail for many. It counts, and names no person and nothing that a sender wrote about their Tasks and approvals. */
export function digestMessage({ to, workspace_name, places }: Digest): MailMessage {
  const workspace = unlinkedLine(workspace_name, 100)
  const all = counted(places.reduce(added, { tasks: 0, approvals: 0 }))
  const unnamed = places.length - mostNamed
  return noticeMessage({
    to,
    subject: mailLine`Waiting for you in the Workspace “${workspace}”: ${all}`,
    title: mailLine`More is asked of you`,
    opening: mailLine`In the Workspace “${workspace}”, ${all} came without a mail for each, because you were sent many mails within an hour.`,
    paragraphs: [
      ...places.slice(0, mostNamed).map(placeLine),
      ...(unnamed > 0 ? [mailLine`And in more places: ${unnamed}.`] : []),
      mailLine`Those that were not withdrawn since are in the lists of your Tasks and approvals.`,
    ],
  })
}

interface Counts {
  tasks: number
  approvals: number
}

const added = (sum: Counts, { tasks, approvals }: Counts): Counts => ({
  tasks: sum.tasks + tasks,
  approvals: sum.approvals + approvals,
})

const placeLine = ({ room, ...counts }: DigestPlace): MailLine =>
  room === null
    ? mailLine`In no Room: ${counted(counts)}.`
    : mailLine`In the Room “${unlinkedLine(room.title, 100)}” (${unlinkedLine(room.room_id, 40)}): ${counted(counts)}.`

function counted({ tasks, approvals }: Counts): MailLine {
  const taskWords = tasks === 1 ? mailLine`one Task` : mailLine`${tasks} Tasks`
  const approvalWords =
    approvals === 1 ? mailLine`one requested approval` : mailLine`${approvals} requested approvals`
  if (approvals === 0) return taskWords
  return tasks === 0 ? approvalWords : mailLine`${taskWords} and ${approvalWords}`
}
