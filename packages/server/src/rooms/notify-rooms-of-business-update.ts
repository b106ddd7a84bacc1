import { workspacesWithRooms } from '../businesses/facts/business-facts-store.ts'
import type { SystemChangeOfRooms } from '../call/system-change.ts'
import type { Reader } from '../database/statement.ts'
import type { JobHandlers } from '../jobs/job-kinds.ts'
import { roomsToTell } from './room-business-store.ts'

interface Parts {
  readers: { unscoped: Reader }
  changeRooms: SystemChangeOfRooms
}

/** How many Rooms are told in one transaction. */
const batch = 1000

/**
 * Says in each Room that has a Business which of its public facts are not what they were, whichever Workspace changed them.
 * Who did it is not said: rooms of other Workspaces read it too. A Business that was withdrawn meanwhile is not spoken of.
 */
export const notifyRoomsOfBusinessUpdate =
  ({ readers, changeRooms }: Parts): JobHandlers['tell_rooms_of_business'] =>
  async ({ business_id, changed }, job) => {
    for (const { workspace_id } of await workspacesWithRooms(readers.unscoped, [business_id]))
      await changeRooms(workspace_id, job, async (tx, behind) => {
        const rooms = await roomsToTell(tx, workspace_id, business_id, { behind, limit: batch })
        const events = rooms.map(({ room_id, name }) => ({
          type: 'business.updated' as const,
          subject: { type: 'business', id: business_id, name },
          room_id,
          data: { changed },
        }))
        return { events, has_more: rooms.length === batch }
      })
  }
