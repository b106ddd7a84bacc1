import type { VisibilityChecks } from '../call/commands/visibility.ts'
import { participantById, roomOfParticipant } from './participants/participant-store.ts'
import { viewerOf } from './room-access.ts'
import { roomById } from './room-store.ts'

/** Whether a caller can see the Room or the participant that a receipt names. */
export const roomVisibility: Pick<VisibilityChecks, 'room' | 'participant'> = {
  async room(id, context) {
    return (await roomById(context.tx, viewerOf(context), id)) !== undefined
  },
  async participant(id, context) {
    const { standing, tx } = context
    const viewer = viewerOf(context)
    const key = await roomOfParticipant(tx, standing.workspace_id, id)
    const room = key && (await roomById(tx, viewer, key.room_id))
    if (!room) return false
    return (await participantById(tx, viewer, room, id)) !== undefined
  },
}
