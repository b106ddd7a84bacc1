import { workspacesWithRooms } from '../../businesses/facts/business-facts-store.ts'
import type { SystemChangeOfRooms } from '../../call/system-change.ts'
import type { Reader } from '../../database/statement.ts'
import type { JobHandlers } from '../../jobs/job-kinds.ts'
import { roomsToNotify } from './room-business-store.ts'

interface Parts {
  readers: { unscoped: Reader }
  changeRooms: SystemChangeOfRooms
}

/** How many Rooms one transaction notifies. */
const batchSize = 1000

/**
 * Adds an event to each Room with a Business, in all Workspaces, which names the public facts that changed. The event does
 * not name who changed them, because other Workspaces read it. If the Business is no longer published, there is no event.
 */
export const notifyRoomsOfBusinessUpdate =
  ({ readers, changeRooms }: Parts): JobHandlers['tell_rooms_of_business'] =>
  async ({ business_id, changed }, job) => {
    for (const { workspace_id } of await workspacesWithRooms(readers.unscoped, [business_id]))
      await changeRooms(workspace_id, job, async (tx, after) => {
        const rooms = await roomsToNotify(tx, workspace_id, business_id, { after, limit: batchSize })
        const events = rooms.map(({ room_id, name }) => ({
          type: 'business.updated' as const,
          subject: { type: 'business', id: business_id, name },
          room_id,
          data: { changed },
        }))
        return { events, has_more: rooms.length === batchSize }
      })
  }
