import { randomUUID } from 'node:crypto'
import type { OwnChange } from '../call/own-change.ts'
import type { JobHandlers } from '../jobs/job-kinds.ts'
import { endSomeOfMembership } from './participant-change-store.ts'
import { participantEvent } from './participant-view.ts'

/** How many Rooms are told in one transaction: others write in the Workspace meanwhile. */
const batch = 200

/**
 * Writes down that a former member takes part in no Room any more, and says so there. Nobody was let in by what it ends
 * since the membership did. Each batch takes up what is left, so that a job that was cut off goes on when it is done again.
 */
export const endParticipation =
  ({ change }: { change: OwnChange }): JobHandlers['end_participation'] =>
  async ({ workspace_id, membership_id }) => {
    for (let ended = batch; ended === batch;)
      await change(workspace_id, { id: randomUUID() }, async tx => {
        const participants = await endSomeOfMembership(tx, workspace_id, membership_id, batch)
        ended = participants.length
        return participants.map(one => participantEvent('participant.revoked', one))
      })
  }
