import { revokeTeamInvitation } from '@wbs/contract/invitations'
import { implement } from '../call/implement.ts'
import { openPending, requireInvitation } from './invitation-access.ts'
import { endInvitation } from './invitation-store.ts'
import { invitationEvent, invitationResource, presentInvitation } from './invitation-view.ts'

export const handleRevokeTeamInvitation = implement(
  revokeTeamInvitation,
  async ({ invitation_id }, { standing, tx, now, refuse }) => {
    const pending = await openPending(tx, standing, invitation_id, refuse)
    const invitation = await endInvitation(tx, pending, 'revoked', null, now)
    return {
      result: { data: presentInvitation(invitation) },
      revision: invitation.revision,
      resource: invitationResource(invitation),
      changed: ['status'],
      events: [invitationEvent('team_invitation.revoked', invitation)],
    }
  },
  { locks: 'team', visible: requireInvitation },
)
