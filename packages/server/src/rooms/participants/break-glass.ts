import { breakGlass } from '@wbs/contract/rooms/participants'
import { implement } from '../../call/implement.ts'
import { isOwnerInPerson } from '../../workspaces/team/team-access.ts'
import { grantBreakGlassAccess } from './participant-change-store.ts'
import { participantOfUser } from './participant-store.ts'
import { participantEvent, participantResource, presentParticipant } from './participant-view.ts'
import { checkRoomVisible } from '../room-access.ts'
import { lockRoomState } from '../room-lock-store.ts'

/**
 * The only way into a Room without an invitation from it. Therefore only an owner in person can use it, and an event tells
 * the Room who did so and why.
 */
export const handleBreakGlass = implement(
  breakGlass,
  async function breakGlass({ room_id, reason }, { caller, standing, tx, now, refuse }) {
    if (!isOwnerInPerson(caller, standing))
      throw refuse.forbidden('Only an owner of the Workspace can do this, with an access token.')
    const key = { workspace_id: standing.workspace_id, room_id }
    const [room, before, changed] = await Promise.all([
      lockRoomState(tx, standing.workspace_id, room_id),
      participantOfUser(tx, key, caller.user_id),
      grantBreakGlassAccess(tx, key, caller.user_id, now),
    ])
    const owner = changed ?? before
    if (!room || !owner) throw refuse.not_found('There is no such Room in the Workspace.')
    if (!changed)
      return {
        result: { participant: presentParticipant(owner) },
        resource: participantResource(owner),
        events: [],
      }
    const event = participantEvent(before ? 'participant.access_changed' : 'participant.joined', owner)
    return {
      result: { participant: presentParticipant(owner) },
      resource: participantResource(owner),
      changed: before ? raisedFields.filter(field => before[field] !== owner[field]) : ['status'],
      events: [{ ...event, data: { ...event.data, break_glass: { reason } } }],
    }
  },
  { visible: checkRoomVisible },
)

const raisedFields = ['access_level', 'expires_at'] as const
