import { listTeamMembers } from '@wbs/contract/workspaces/team'
import { implement } from '../../call/implement.ts'
import { pageOf } from '../../call/page.ts'
import { membersPage } from './team-store.ts'
import { presentMember } from './team-view.ts'

export const handleListTeamMembers = implement(
  listTeamMembers,
  async function listTeamMembers({ role, cursor, limit = 20 }, { standing, read }) {
    const rows = await membersPage(read, standing.workspace_id, { role, after: cursor, limit: limit + 1 })
    return { result: pageOf(rows.map(presentMember), limit, member => member.id) }
  },
)
