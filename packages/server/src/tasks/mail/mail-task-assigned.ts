import type { SendNotice } from '../../call/notices/notice.ts'
import type { Reader, RowScope } from '../../database/statement.ts'
import { emailKey } from '../../identity/email-address.ts'
import type { JobHandlers } from '../../jobs/job-kinds.ts'
import { taskAssignedMessage } from '../../mail/task-assigned-message.ts'
import { taskToMail } from './task-mail-store.ts'
import { readerOfTasks } from './task-reader.ts'

/** What the mails of this slice need. */
export interface TaskMailParts {
  readers: { scoped(scope: RowScope): Reader }
  sendNotice: SendNotice
  /** Whether assignees get mail. */
  taskMail: boolean
}

/**
 * Mails a user that a Task is assigned to them. Does nothing unless it is still assigned to them and not finished, they can
 * see it and may read Tasks, and they have an address.
 */
export const mailTaskAssigned =
  ({ readers, sendNotice, taskMail }: TaskMailParts): JobHandlers['mail_task_assigned'] =>
  async ({ workspace_id, task_id, user_id, sender_user_id = user_id }, job) => {
    if (!taskMail) return
    const reader = readers.scoped({ workspace_id, user_id })
    const viewer = await readerOfTasks(reader, workspace_id, user_id)
    const task = viewer && (await taskToMail(reader, viewer, task_id))
    const to = task?.email ? emailKey(task.email) : null
    if (!task || to === null) return
    const { room_id } = task
    const due_at = task.due_at === null ? null : new Date(task.due_at)
    await sendNotice(
      { workspace_id, sender_user_id, recipient_user_id: user_id, room_id, about: 'task', things: 1 },
      taskAssignedMessage({ ...task, to, due_at }),
      job,
    )
  }
