import { revokeParticipant } from '@wbs/contract/rooms/participants'
import { implement } from '../../call/implement.ts'
import { mayEnd } from './participant.ts'
import {
  beforeParticipantChange,
  openParticipant,
  requireNotEnded,
  requireOtherManager,
} from './participant-access.ts'
import { endParticipant } from './participant-change-store.ts'
import {
  endConnectionsJobs,
  participantEvent,
  participantResource,
  presentParticipant,
} from './participant-view.ts'

export const handleRevokeParticipant = implement(
  revokeParticipant,
  async function revokeParticipant(named, context) {
    const { caller, tx, now, refuse } = context
    const { room, participant } = await openParticipant(context, named)
    if (!mayEnd(room.access_level, caller.user_id, participant))
      throw refuse.forbidden(
        'You need full access to the Room. Without it, you can revoke only a pending invitation that you sent.',
      )
    requireNotEnded(participant, refuse)
    requireOtherManager(participant, null, refuse)
    const revoked = endParticipant(tx, participant, 'revoked', now)
    return {
      result: { participant: presentParticipant(revoked) },
      resource: participantResource(revoked),
      changed: ['status'],
      events: [participantEvent('participant.revoked', revoked)],
      jobs: endConnectionsJobs(revoked),
    }
  },
  beforeParticipantChange,
)
