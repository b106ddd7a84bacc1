import type { SystemChange } from '../../call/system-change.ts'
import type { JobHandlers } from '../../jobs/job-kinds.ts'
import { recordExpiry } from './participant-change-store.ts'
import { participantEvent } from './participant-view.ts'

/**
 * Writes down that somebody's time in a Room, or to answer an invitation to it, is over, and says so there. It is over
 * without that, from its moment on. Whose time was put off meanwhile has another job that is due later.
 */
export const expireParticipant =
  ({ change }: { change: SystemChange }): JobHandlers['expire_participant'] =>
  ({ workspace_id, ...named }, job) =>
    change(workspace_id, job, async tx => {
      const expired = await recordExpiry(tx, { workspace_id, ...named })
      return expired ? [participantEvent('participant.expired', expired)] : []
    })
