import type { VisibilityChecks } from '../call/commands/visibility.ts'
import { onlookerOf } from './participants/participant-access.ts'
import { participantAnywhere, participantById } from './participants/participant-store.ts'
import { viewerOf } from './room-access.ts'
import { roomById } from './room-store.ts'

/** What somebody sees of Rooms: those that they can open, and in these whom they may see. */
export const roomVisibility: Pick<VisibilityChecks, 'room' | 'participant'> = {
  async room(id, { caller, standing, tx }) {
    return (await roomById(tx, viewerOf(caller, standing), id)) !== undefined
  },
  async participant(id, looking) {
    const { caller, standing, tx } = looking
    const place = await participantAnywhere(tx, standing.workspace_id, id)
    const room = place && (await roomById(tx, viewerOf(caller, standing), place.room_id))
    if (!room) return false
    return (await participantById(tx, room, onlookerOf(looking, room), id)) !== undefined
  },
}
