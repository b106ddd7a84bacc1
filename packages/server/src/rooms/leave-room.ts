import { leaveRoom } from '@wbs/contract/participants'
import { implement } from '../call/implement.ts'
import { requireManagerLeft } from './participant-access.ts'
import { endParticipant } from './participant-change-store.ts'
import { participantOfUser } from './participant-store.ts'
import { participantEvent, participantResource, presentParticipant } from './participant-view.ts'
import { ofNamedRoom, openRoom } from './room-access.ts'

export const handleLeaveRoom = implement(
  leaveRoom,
  async ({ room_id }, context) => {
    const { caller, tx, now, refuse } = context
    if (caller.kind !== 'user')
      throw refuse.forbidden('People leave in person; an API key cannot do it for them.')
    const room = await openRoom(context, room_id, 'view')
    const participant = await participantOfUser(tx, room, caller.user_id)
    if (!participant)
      throw refuse.state_conflict('The caller is in the Room by its general access, which nobody leaves.', {
        current_status: 'no_participant',
      })
    await requireManagerLeft(tx, participant, null, refuse)
    const ended = endParticipant(tx, participant, 'left', now)
    return {
      result: { participant: presentParticipant(ended) },
      resource: participantResource(ended),
      changed: ['status'],
      events: [participantEvent('participant.left', ended)],
    }
  },
  ofNamedRoom,
)
