import { emailKey } from '../../identity/email-address.ts'
import type { JobHandlers } from '../../jobs/job-kinds.ts'
import { requestsAssignedMessage } from '../../mail/requests-assigned-message.ts'
import type { TaskMailParts } from './mail-task-assigned.ts'
import { requestsToMail } from './task-mail-store.ts'
import { readerOfTasks } from './task-reader.ts'

/**
 * Mails a user how many Tasks of a request list are assigned to them. Does nothing unless they can still see such a Task that
 * is not finished, may read Tasks, and have an address.
 */
export const mailRequestsAssigned =
  ({ readers, sendNotice, taskMail }: TaskMailParts): JobHandlers['mail_requests_assigned'] =>
  async ({ workspace_id, room_id, user_id, count, sender_user_id = user_id }, job) => {
    if (!taskMail) return
    const reader = readers.scoped({ workspace_id, user_id })
    const viewer = await readerOfTasks(reader, workspace_id, user_id)
    const requests = viewer && (await requestsToMail(reader, viewer, room_id, count))
    const to = requests?.email ? emailKey(requests.email) : null
    if (!requests || to === null) return
    const things = requests.count
    const first_due_at = requests.first_due_at === null ? null : new Date(requests.first_due_at)
    await sendNotice(
      { workspace_id, sender_user_id, recipient_user_id: user_id, room_id, about: 'task', things },
      requestsAssignedMessage({ ...requests, to, first_due_at }),
      job,
    )
  }
