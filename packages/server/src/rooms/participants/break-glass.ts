import { breakGlass } from '@wbs/contract/rooms/participants'
import { implement } from '../../call/implement.ts'
import { isOwnerInPerson } from '../../workspaces/team/team-access.ts'
import { admitOwner } from './participant-change-store.ts'
import { participantOfUser } from './participant-store.ts'
import { participantEvent, participantResource, presentParticipant } from './participant-view.ts'
import { roomVisible } from '../room-access.ts'
import { lockRoomState } from '../room-lock-store.ts'

/** The one way into a Room that asks nobody in it: so it takes the owner in person, and the Room is told who came, and why. */
export const handleBreakGlass = implement(
  breakGlass,
  async function breakGlass({ room_id, reason }, { caller, standing, tx, now, refuse }) {
    if (!isOwnerInPerson(caller, standing))
      throw refuse.forbidden('Only an owner of the Workspace can do this, with an access token.')
    const place = { workspace_id: standing.workspace_id, room_id }
    const [room, before, admitted] = await Promise.all([
      lockRoomState(tx, standing.workspace_id, room_id),
      participantOfUser(tx, place, caller.user_id),
      admitOwner(tx, place, caller.user_id, now),
    ])
    const owner = admitted ?? before
    if (!room || !owner) throw refuse.not_found('There is no such Room in the Workspace.')
    if (!admitted)
      return {
        result: { participant: presentParticipant(owner) },
        resource: participantResource(owner),
        events: [],
      }
    const event = participantEvent(before ? 'participant.access_changed' : 'participant.joined', owner)
    return {
      result: { participant: presentParticipant(owner) },
      resource: participantResource(owner),
      changed: before ? raised.filter(field => before[field] !== owner[field]) : ['status'],
      events: [{ ...event, data: { ...event.data, break_glass: { reason } } }],
    }
  },
  { visible: roomVisible },
)

const raised = ['access_level', 'expires_at'] as const
