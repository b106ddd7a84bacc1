import type { SystemChangeOfRooms } from '../../call/system-change.ts'
import type { JobHandlers } from '../../jobs/job-kinds.ts'
import { endParticipationsOfMembership } from './participant-change-store.ts'
import { participantEvent } from './participant-view.ts'

/** How many participations one transaction ends. */
const batchSize = 200

/**
 * Records in each Room that the participation of a former member has ended, and adds an event. Their access itself ended with
 * the membership.
 */
export const endParticipation =
  ({ changeRooms }: { changeRooms: SystemChangeOfRooms }): JobHandlers['end_participation'] =>
  ({ workspace_id, membership_id }, job) =>
    changeRooms(workspace_id, job, async (tx, after) => {
      const ended = await endParticipationsOfMembership(tx, workspace_id, membership_id, {
        after,
        limit: batchSize,
      })
      const events = ended.map(participant => ({
        ...participantEvent('participant.revoked', participant),
        room_id: participant.room_id,
      }))
      return { events, has_more: ended.length === batchSize }
    })
