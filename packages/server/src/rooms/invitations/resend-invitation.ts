import { participantMachine } from '@wbs/contract/rooms/participants'
import { resendInvitation } from '@wbs/contract/rooms/invitations'
import { requireMove } from '../../call/state.ts'
import { implement } from '../../call/implement.ts'
import { databaseTime } from '../../database/database-time.ts'
import { invitationExpiry, type InvitationTokens } from '../../identity/invitation-token.ts'
import {
  beforeParticipantChange,
  openParticipant,
  requireGrantableLevel,
} from '../participants/participant-access.ts'
import {
  expiryJobs,
  invitationMailJob,
  participantEvent,
  participantResource,
  presentParticipant,
} from '../participants/participant-view.ts'
import { requireActive, requireLevel } from '../room-access.ts'
import { renewParticipant } from './room-invitation-change-store.ts'

export const handleResendInvitation = (tokens: InvitationTokens) =>
  implement(
    resendInvitation,
    async function resendInvitation(named, context) {
      const { tx, now, refuse } = context
      const [{ room: opened, participant: pending }, at] = await Promise.all([
        openParticipant(context, named),
        databaseTime(tx),
      ])
      const room = requireLevel(opened, 'edit', refuse)
      requireGrantableLevel(room, pending.access_level, refuse)
      requireActive(room, refuse)
      const detail = 'Only a pending invitation can be sent again.'
      requireMove(participantMachine, 'resend', pending.status, detail, refuse)
      const { participant_id, token_number, invited_by, sent_with } = pending
      const token_digest = tokens.digestOf(participant_id, token_number + 1)
      const details = { invited_by, sent_with, invited_until: invitationExpiry(at), token_digest }
      const renewed = renewParticipant(tx, room, pending, details, now)
      return {
        result: { participant: presentParticipant(renewed) },
        resource: participantResource(renewed),
        changed: ['invited_until'],
        events: [participantEvent('participant.invited', renewed)],
        jobs: [invitationMailJob(renewed), ...expiryJobs(renewed)],
      }
    },
    beforeParticipantChange,
  )
