import type { JobIdentity } from '../../jobs/job-kinds.ts'
import type { MailMessage } from '../../mail/mailer.ts'

/** Something in a Workspace that somebody did and that somebody else is told by mail. */
export interface Notice {
  workspace_id: string
  /** Who did it. */
  sender_user_id: string
  recipient_user_id: string
  /** Where; null for what is in no Room. */
  room_id: string | null
  about: 'task' | 'approval'
  /** How many Tasks or approvals it is about. */
  things: number
}

/** Mails a notice, or keeps it for the digest of its recipient if the budget of its sender is used up. */
export type SendNotice = (notice: Notice, message: MailMessage, job: JobIdentity) => Promise<void>

/** Notices about one kind of thing in one place that were not mailed one by one. */
export interface HeldNotices extends Pick<Notice, 'room_id' | 'about'> {
  things: number
}

/** Gives the notices that wait for a digest to its job; the same to every attempt at it. */
export type TakeHeldNotices = (
  recipient: Pick<Notice, 'workspace_id' | 'recipient_user_id'>,
  job: JobIdentity,
) => Promise<HeldNotices[]>
