import { leaveRoom } from '@wbs/contract/rooms/participants'
import { implement } from '../../call/implement.ts'
import { requireOtherManager } from './participant-access.ts'
import { endParticipant } from './participant-change-store.ts'
import { participantOfUser } from './participant-store.ts'
import {
  endConnectionsJobs,
  participantEvent,
  participantResource,
  presentParticipant,
} from './participant-view.ts'
import { checkRoomVisible, lockRoomAndRead, requireOpened, type CallerOfChange } from '../room-access.ts'

export const handleLeaveRoom = implement(
  leaveRoom,
  async function leaveRoom(named, context) {
    const { caller, tx, now, refuse } = context
    if (caller.kind !== 'user') throw refuse.forbidden('Leaving requires an access token, not an API key.')
    const [room, participant] = await lockRoomAndReadParticipant(named, context)
    requireOpened(room, 'view', refuse)
    if (!participant)
      throw refuse.state_conflict(
        'You can open the Room through its general access, which you cannot leave.',
        {
          current_status: 'no_participant',
        },
      )
    requireOtherManager(participant, null, refuse)
    const ended = endParticipant(tx, participant, 'left', now)
    return {
      result: { participant: presentParticipant(ended) },
      resource: participantResource(ended),
      changed: ['status'],
      events: [participantEvent('participant.left', ended)],
      jobs: endConnectionsJobs(ended),
    }
  },
  { visible: checkRoomVisible, prefetch: lockRoomAndReadParticipant },
)

/** The locked Room and the caller's participation in it. */
function lockRoomAndReadParticipant({ room_id }: { room_id: string }, context: CallerOfChange) {
  return lockRoomAndRead(context, room_id, ({ workspace_id, user_id }) =>
    participantOfUser(context.tx, { workspace_id, room_id }, user_id),
  )
}
