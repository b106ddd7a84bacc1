import type { SystemChangeOfRooms } from '../call/system-change.ts'
import type { JobHandlers } from '../jobs/job-kinds.ts'
import { activeRoomsOfBusiness } from './valuation-event-store.ts'
import { valuationEvent } from './valuation-events.ts'
import { valuationById } from './valuation-store.ts'

/** How many Rooms one transaction tells. */
const batchSize = 1000

/** Tells the Rooms of the Business of a valuation what happened to it, after those that the change itself told. */
export const tellRoomsOfValuation =
  ({ changeRooms }: { changeRooms: SystemChangeOfRooms }): JobHandlers['tell_rooms_of_valuation'] =>
  ({ workspace_id, valuation_id, type, after }, job) =>
    changeRooms(workspace_id, job, async (tx, behind) => {
      const valuation = await valuationById(tx, workspace_id, valuation_id)
      if (!valuation?.business_id) return { events: [], has_more: false }
      const page = { after: behind > after ? behind : after, limit: batchSize }
      const rooms = await activeRoomsOfBusiness(tx, workspace_id, valuation.business_id, page)
      const event = valuationEvent(type, valuation)
      return { events: rooms.map(room_id => ({ ...event, room_id })), has_more: rooms.length === batchSize }
    })
