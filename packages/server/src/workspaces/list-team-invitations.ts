import { listTeamInvitations } from '@wbs/contract/invitations'
import { implement } from '../call/implement.ts'
import { invitationsOfTeam } from './invitation-store.ts'
import { presentInvitation } from './invitation-view.ts'

export const handleListTeamInvitations = implement(
  listTeamInvitations,
  async ({ status = null, cursor = null, limit = 20 }, { standing, read }) => {
    const found = await invitationsOfTeam(read, standing.workspace_id, status, cursor, limit + 1)
    const page = found.slice(0, limit)
    const has_more = found.length > limit
    return {
      result: {
        data: page.map(presentInvitation),
        page: { cursor: has_more ? (page.at(-1)?.invitation_id ?? null) : null, has_more },
      },
    }
  },
)
