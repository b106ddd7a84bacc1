import type { BlobStore } from '../blobs/blob-store.ts'
import type { JobHandlers } from '../jobs/job-kinds.ts'
import { handleCancelTask } from './cancel-task.ts'
import { handleCreateTaskComment } from './comments/create-task-comment.ts'
import { handleListTaskComments } from './comments/list-task-comments.ts'
import { handleCompleteTask } from './complete-task.ts'
import { handleCreateTask } from './create-task.ts'
import { handleGetTask } from './get-task.ts'
import { handleListTasks } from './list-tasks.ts'
import { handleReopenTask } from './reopen-task.ts'
import { handleUpdateTask } from './update-task.ts'
import { mailRequestsAssigned } from './mail/mail-requests-assigned.ts'
import { mailTaskAssigned, type TaskMailParts } from './mail/mail-task-assigned.ts'
import { handleCreateRoomRequests } from './requests/create-room-requests.ts'
import { handleGetRequestProgress } from './requests/get-request-progress.ts'
import { handleListRequestTemplates } from './requests/list-request-templates.ts'

/** What the handlers of Tasks need. */
export interface TaskParts {
  /** Where the content of Files is. */
  blobs: BlobStore
}

/** The handlers of this slice. Add a line for each new handler. */
export const taskHandlers = ({ blobs }: TaskParts) => [
  handleCancelTask,
  handleCompleteTask,
  handleCreateTask,
  handleGetTask,
  handleListTasks,
  handleReopenTask,
  handleUpdateTask,
  handleCreateTaskComment,
  handleListTaskComments,
  handleCreateRoomRequests(blobs),
  handleGetRequestProgress,
  handleListRequestTemplates,
]

/** The job handlers of this slice. */
export const taskJobs = (parts: TaskMailParts) =>
  ({
    mail_task_assigned: mailTaskAssigned(parts),
    mail_requests_assigned: mailRequestsAssigned(parts),
  }) satisfies Partial<JobHandlers>
