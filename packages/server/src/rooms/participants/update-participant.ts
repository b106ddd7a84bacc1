import { updateParticipant } from '@wbs/contract/rooms/participants'
import { implement } from '../../call/implement.ts'
import {
  beforeParticipantChange,
  openParticipant,
  requireNotEnded,
  requireOtherManager,
} from './participant-access.ts'
import { saveLevel } from './participant-change-store.ts'
import { participantEvent, participantResource, presentParticipant } from './participant-view.ts'
import { requireActive, requireLevel } from '../room-access.ts'

export const handleUpdateParticipant = implement(
  updateParticipant,
  async function updateParticipant({ access_level, ...named }, context) {
    const { tx, now, refuse } = context
    const { room: opened, participant } = await openParticipant(context, named)
    // Full access is the highest level, so the caller can give any.
    const room = requireLevel(opened, 'full_access', refuse)
    requireActive(room, refuse)
    requireNotEnded(participant, refuse)
    requireOtherManager(participant, access_level, refuse)
    const isNew = access_level !== participant.access_level
    const saved = isNew ? saveLevel(tx, room, participant, access_level, now) : participant
    const event = participantEvent('participant.access_changed', saved)
    return {
      result: { participant: presentParticipant(saved) },
      resource: participantResource(saved),
      changed: isNew ? ['access_level'] : [],
      events: isNew
        ? [{ ...event, data: { ...event.data, previous_access_level: participant.access_level } }]
        : [],
    }
  },
  beforeParticipantChange,
)
