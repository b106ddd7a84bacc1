import { leaveRoom } from '@wbs/contract/rooms/participants'
import { implement } from '../../call/implement.ts'
import { requireManagerLeft } from './participant-access.ts'
import { endParticipant } from './participant-change-store.ts'
import { participantOfUser } from './participant-store.ts'
import { participantEvent, participantResource, presentParticipant } from './participant-view.ts'
import { lockSeen, requireOpened, roomVisible, type Looking } from '../room-access.ts'

export const handleLeaveRoom = implement(
  leaveRoom,
  async function leaveRoom(named, context) {
    const { caller, tx, now, refuse } = context
    if (caller.kind !== 'user') throw refuse.forbidden('Leaving requires an access token, not an API key.')
    const [room, participant] = await lookAtBoth(named, context)
    requireOpened(room, 'view', refuse)
    if (!participant)
      throw refuse.state_conflict(
        'You can open the Room through its general access, which you cannot leave.',
        {
          current_status: 'no_participant',
        },
      )
    requireManagerLeft(participant, null, refuse)
    const ended = endParticipant(tx, participant, 'left', now)
    return {
      result: { participant: presentParticipant(ended) },
      resource: participantResource(ended),
      changed: ['status'],
      events: [participantEvent('participant.left', ended)],
    }
  },
  { visible: roomVisible, prefetch: lookAtBoth },
)

/** The Room, locked, and who the caller is in it. */
function lookAtBoth({ room_id }: { room_id: string }, context: Looking) {
  const { caller, standing, tx } = context
  const place = { workspace_id: standing.workspace_id, room_id }
  return Promise.all([lockSeen(context, room_id), participantOfUser(tx, place, caller.user_id)])
}
