import { randomUUID } from 'node:crypto'
import type { OwnChange } from '../call/own-change.ts'
import type { JobHandlers } from '../jobs/job-kinds.ts'
import { endSomeOfMembership } from './participant-change-store.ts'
import { participantEvent } from './participant-view.ts'

/** How many Rooms are told in one transaction: others write in the Workspace meanwhile. */
const batch = 200

/**
 * Writes down that a former member takes part in no Room any more, and says so there. It was over without that, from the
 * end of the membership on. Each batch takes up what is left, so that a job that was cut off goes on when it is done again.
 */
export const endParticipation =
  ({ change }: { change: OwnChange }): JobHandlers['end_participation'] =>
  async ({ workspace_id, membership_id }) => {
    const endSome = async (): Promise<boolean> => {
      let isFull = false
      await change(workspace_id, { id: randomUUID() }, async tx => {
        const ended = await endSomeOfMembership(tx, workspace_id, membership_id, batch)
        isFull = ended.length === batch
        return ended.map(one => participantEvent('participant.revoked', one))
      })
      return isFull
    }
    while (await endSome());
  }
