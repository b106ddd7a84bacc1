import type { RecordRead } from '../call/recorded-read.ts'
import type { SendNotice } from '../call/notices/notice.ts'
import type { SystemChange, SystemChangeOfRooms } from '../call/system-change.ts'
import type { Reader, RowScope } from '../database/statement.ts'
import type { JobHandlers } from '../jobs/job-kinds.ts'
import type { Plugins } from '../plugins/plugin.ts'
import { mailApprovalRequested } from './approvals/mail-approval-requested.ts'
import { endConnections } from './ending/end-connections.ts'
import { handleReadConnection } from './reading/read-connection.ts'
import { handleListConnections } from './sharing/list-connections.ts'
import { handlePauseConnection } from './sharing/pause-connection.ts'
import { handleReconnectConnection } from './sharing/reconnect-connection.ts'
import { handleResumeConnection } from './sharing/resume-connection.ts'
import { handleShareConnection } from './sharing/share-connection.ts'
import { handleStopConnection } from './sharing/stop-connection.ts'
import { handleApproveApproval } from './approvals/deciding/approve-approval.ts'
import { handleCancelApproval } from './approvals/deciding/cancel-approval.ts'
import { handleDeclineApproval } from './approvals/deciding/decline-approval.ts'
import { expireApproval } from './approvals/expire-approval.ts'
import { handleGetApproval } from './approvals/get-approval.ts'
import { handleListApprovals } from './approvals/list-approvals.ts'
import { handleRequestAction } from './approvals/request-action.ts'
import { createExecute, executeApproval } from './execution/execute-approval.ts'

/** What the handlers of connections and approvals need. */
export interface ConnectionParts {
  plugins: Plugins
  recordRead: RecordRead
  /** Changes of the service itself, such as the result of an action. */
  change: SystemChange
  /** Whether the node stops, so that nothing long may begin. */
  isStopping: () => boolean
}

/** The handlers of this slice. Add a line for each new handler. */
export const connectionHandlers = (parts: ConnectionParts) => [
  handleShareConnection(parts),
  handleListConnections,
  handlePauseConnection,
  handleResumeConnection,
  handleStopConnection,
  handleReconnectConnection,
  handleReadConnection(parts),
  handleRequestAction({ plugins: parts.plugins, execute: createExecute(parts) }),
  handleListApprovals,
  handleGetApproval,
  handleApproveApproval,
  handleDeclineApproval,
  handleCancelApproval,
]

/** What the jobs of connections and approvals need. */
interface ConnectionJobParts {
  plugins: Plugins
  change: SystemChange
  changeRooms: SystemChangeOfRooms
  readers: { scoped(scope: RowScope): Reader }
  sendNotice: SendNotice
  /** Whether those who are asked for an approval get mail. */
  taskMail: boolean
}

/** The job handlers of this slice. */
export const connectionJobs = (parts: ConnectionJobParts) =>
  ({
    mail_approval_requested: mailApprovalRequested(parts),
    end_connections: endConnections(parts),
    execute_approval: executeApproval(parts),
    expire_approval: expireApproval(parts),
  }) satisfies Partial<JobHandlers>
