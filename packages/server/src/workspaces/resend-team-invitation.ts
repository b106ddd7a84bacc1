import { resendTeamInvitation } from '@wbs/contract/invitations'
import { implement } from '../call/implement.ts'
import { openPending, requireInvitation } from './invitation-access.ts'
import { renewInvitation } from './invitation-store.ts'
import type { InvitationTokens } from '../identity/invitation-token.ts'
import { invitationEvent, invitationResource, mailInvitation, presentInvitation } from './invitation-view.ts'

export const handleResendTeamInvitation = (tokens: InvitationTokens) =>
  implement(
    resendTeamInvitation,
    async ({ invitation_id }, { standing, tx, now, refuse }) => {
      const pending = await openPending(tx, standing, invitation_id, refuse)
      const { email, role, inviter_id: invited_by, sent_with, token_number } = pending
      const token_digest = tokens.digestOf(invitation_id, token_number + 1)
      const invitation = await renewInvitation(
        tx,
        pending,
        { email, role, invited_by, sent_with, token_digest },
        now,
      )
      return {
        result: { data: presentInvitation(invitation) },
        revision: invitation.revision,
        resource: invitationResource(invitation),
        changed: ['expires_at'],
        events: [invitationEvent('team_invitation.resent', invitation)],
        jobs: [mailInvitation(invitation)],
      }
    },
    { locks: 'team', visible: requireInvitation },
  )
