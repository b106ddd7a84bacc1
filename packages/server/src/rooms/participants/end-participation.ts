import type { SystemChangeOfRooms } from '../../call/system-change.ts'
import type { JobHandlers } from '../../jobs/job-kinds.ts'
import { endSomeOfMembership } from './participant-change-store.ts'
import { participantEvent } from './participant-view.ts'

/** How many Rooms are told in one transaction. */
const batch = 200

/**
 * Writes down that a former member takes part in no Room any more, and says so there. It was over without that, from the
 * end of the membership on.
 */
export const endParticipation =
  ({ changeRooms }: { changeRooms: SystemChangeOfRooms }): JobHandlers['end_participation'] =>
  ({ workspace_id, membership_id }, job) =>
    changeRooms(workspace_id, job, async (tx, behind) => {
      const ended = await endSomeOfMembership(tx, workspace_id, membership_id, { behind, limit: batch })
      const events = ended.map(one => ({
        ...participantEvent('participant.revoked', one),
        room_id: one.room_id,
      }))
      return { events, has_more: ended.length === batch }
    })
