import { getTeamMember } from '@wbs/contract/workspaces/team'
import { implement } from '../../call/implement.ts'
import { memberById } from './team-store.ts'
import { presentMember } from './team-view.ts'

export const handleGetTeamMember = implement(
  getTeamMember,
  async function getTeamMember({ membership_id }, { standing, read, refuse }) {
    const member = await memberById(read, standing.workspace_id, membership_id)
    if (!member) throw refuse.not_found('There is no such member.')
    return { result: { data: presentMember(member) }, revision: member.revision }
  },
)
