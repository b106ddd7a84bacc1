import { listTeamInvitations } from '@wbs/contract/workspaces/team-invitations'
import { implement } from '../../call/implement.ts'
import { pageOf } from '../../call/page.ts'
import { invitationsOfTeam } from './team-invitation-store.ts'
import { presentInvitation } from './team-invitation-view.ts'

export const handleListTeamInvitations = implement(
  listTeamInvitations,
  async function listTeamInvitations({ status = null, cursor = null, limit = 20 }, { standing, read }) {
    const found = await invitationsOfTeam(read, standing.workspace_id, status, cursor, limit + 1)
    const { data, page } = pageOf(found, limit, invitation => invitation.invitation_id)
    return { result: { data: data.map(presentInvitation), page } }
  },
)
