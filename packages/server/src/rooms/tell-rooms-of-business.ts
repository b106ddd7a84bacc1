import type { EventDraft } from '@wbs/contract/events'
import { workspacesWithRooms } from '../businesses/business-facts-store.ts'
import type { OwnChange } from '../call/own-change.ts'
import type { Reader } from '../database/statement.ts'
import type { JobHandlers } from '../jobs/job-kinds.ts'
import { roomsToTell } from './room-business-store.ts'

interface Parts {
  readers: { open: Reader }
  change: OwnChange
}

/**
 * Says in each Room that has a Business which of its public facts are not what they were, whichever Workspace changed them.
 * Who did it is not said: rooms of other Workspaces read it too. A Business that was withdrawn meanwhile is not spoken of.
 */
export const tellRoomsOfBusiness =
  ({ readers, change }: Parts): JobHandlers['tell_rooms_of_business'] =>
  async ({ business_id, changed }, job) => {
    for (const { workspace_id } of await workspacesWithRooms(readers.open, [business_id]))
      await change(workspace_id, job, async tx => {
        const rooms = await roomsToTell(tx, workspace_id, business_id)
        return rooms.map(({ room_id, name }): EventDraft => ({
          type: 'business.updated',
          subject: { type: 'business', id: business_id, name },
          room_id,
          data: { changed },
        }))
      })
  }
