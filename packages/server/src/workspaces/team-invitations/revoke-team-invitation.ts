import { revokeTeamInvitation } from '@wbs/contract/workspaces/team-invitations'
import { implement } from '../../call/implement.ts'
import { checkInvitationVisible, requirePending } from './team-invitation-access.ts'
import { endInvitation } from './team-invitation-change-store.ts'
import { lockInvitation } from './team-invitation-store.ts'
import { invitationEvent, invitationResource, presentInvitation } from './team-invitation-view.ts'

export const handleRevokeTeamInvitation = implement(
  revokeTeamInvitation,
  async function revokeTeamInvitation({ invitation_id }, { standing, tx, now, refuse }) {
    const locked = await lockInvitation(tx, standing.workspace_id, invitation_id)
    const pending = requirePending(locked, standing, refuse)
    const invitation = endInvitation(tx, pending, 'revoked', null, now)
    return {
      result: { data: presentInvitation(invitation) },
      revision: invitation.revision,
      resource: invitationResource(invitation),
      changed: ['status'],
      events: [invitationEvent('team_invitation.revoked', invitation)],
    }
  },
  {
    locks: 'team',
    prefetch: ({ invitation_id }, { standing, tx }) =>
      lockInvitation(tx, standing.workspace_id, invitation_id),
    visible: checkInvitationVisible,
  },
)
