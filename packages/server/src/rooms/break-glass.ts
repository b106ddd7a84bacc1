import { breakGlass } from '@wbs/contract/participants'
import { implement } from '../call/implement.ts'
import { isOwnerInPerson } from '../workspaces/team-access.ts'
import { admitOwner } from './participant-change-store.ts'
import { participantOfUser } from './participant-store.ts'
import { participantEvent, participantResource, presentParticipant } from './participant-view.ts'
import { roomVisible } from './room-access.ts'
import { lockRoomState } from './room-lock-store.ts'

/** The one way into a Room that asks nobody in it: so it takes the owner in person, and the Room is told who came, and why. */
export const handleBreakGlass = implement(
  breakGlass,
  async ({ room_id, reason }, { caller, standing, tx, now, refuse }) => {
    if (!isOwnerInPerson(caller, standing))
      throw refuse.forbidden('Owners of the Workspace alone let themselves into a Room, in person.')
    const place = { workspace_id: standing.workspace_id, room_id }
    if (!(await lockRoomState(tx, standing.workspace_id, room_id)))
      throw refuse.not_found('The Workspace has no such Room.')
    const before = await participantOfUser(tx, place, caller.user_id)
    if (before?.access_level === 'full_access' && before.expires_at === null)
      return {
        result: { participant: presentParticipant(before) },
        resource: participantResource(before),
        events: [],
      }
    const owner = await admitOwner(tx, place, caller.user_id, now)
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
