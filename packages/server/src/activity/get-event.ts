import { getEvent } from '@wbs/contract/activity'
import { implement } from '../call/implement.ts'
import { viewerOf } from '../rooms/room-access.ts'
import { eventById } from './event-store.ts'
import { presentEvent } from './event-view.ts'

export const handleGetEvent = implement(
  getEvent,
  async function getEvent({ event_id }, { caller, standing, read, refuse }) {
    const event = await eventById(read, viewerOf({ caller, standing }), event_id)
    if (!event) throw refuse.not_found('There is no such event, or you cannot see it.')
    return { result: { data: presentEvent(event, caller) } }
  },
)
