import { getTeamInvitation } from '@wbs/contract/workspaces/team-invitations'
import { implement } from '../../call/implement.ts'
import { noSuchInvitation } from './team-invitation-access.ts'
import { invitationById } from './team-invitation-store.ts'
import { presentInvitation } from './team-invitation-view.ts'

export const handleGetTeamInvitation = implement(
  getTeamInvitation,
  async function getTeamInvitation({ invitation_id }, { standing, read, refuse }) {
    const invitation = await invitationById(read, standing.workspace_id, invitation_id)
    if (!invitation) throw refuse.not_found(noSuchInvitation)
    return { result: { data: presentInvitation(invitation) }, revision: invitation.revision }
  },
)
