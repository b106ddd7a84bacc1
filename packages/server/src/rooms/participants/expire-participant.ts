import type { SystemChange } from '../../call/system-change.ts'
import type { JobHandlers } from '../../jobs/job-kinds.ts'
import { recordExpiry } from './participant-change-store.ts'
import { endConnectionsJobs, participantEvent } from './participant-view.ts'

/**
 * Records that a participation or an invitation has expired, and adds an event to the Room. The access itself ended at its
 * end date. If the end date was moved meanwhile, this does nothing: a later job is due for the new one.
 */
export const expireParticipant =
  ({ change }: { change: SystemChange }): JobHandlers['expire_participant'] =>
  ({ workspace_id, ...key }, job) =>
    change(workspace_id, job, async tx => {
      const expired = await recordExpiry(tx, { workspace_id, ...key })
      if (!expired) return []
      return { events: [participantEvent('participant.expired', expired)], jobs: endConnectionsJobs(expired) }
    })
