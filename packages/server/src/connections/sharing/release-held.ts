import type { Transaction } from '../../database/connections/writer.ts'
import type { JobDraft } from '../../jobs/job-kinds.ts'
import { releaseHeldApprovals } from '../approvals/approval-change-store.ts'
import { executeJob } from '../approvals/approval-view.ts'
import type { OpenedConnection } from '../connection-access.ts'

/** Releases the approvals that wait for a connection. Returns the jobs that run them. */
export async function releaseHeld(
  tx: Transaction,
  connection: OpenedConnection,
  now: Date,
): Promise<JobDraft[]> {
  const released = await releaseHeldApprovals(tx, connection, now)
  return released.map(approval => executeJob(approval))
}
