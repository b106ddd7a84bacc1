import { getParticipant } from '@wbs/contract/rooms/participants'
import { implement } from '../../call/implement.ts'
import { requireParticipant } from './participant-access.ts'
import { presentParticipant } from './participant-view.ts'

export const handleGetParticipant = implement(getParticipant, async function getParticipant(named, context) {
  return {
    result: { participant: presentParticipant(await requireParticipant(context, context.read, named)) },
  }
})
