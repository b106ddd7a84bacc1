import { listWorkspaces } from '@wbs/contract/workspaces'
import { implement } from '../call/implement.ts'
import { workspacesOfUser } from './workspace-store.ts'
import { presentWorkspaceOfMember } from './workspace-view.ts'

export const handleListWorkspaces = implement(
  listWorkspaces,
  async ({ cursor, limit = 20 }, { caller, read }) => {
    const found = await workspacesOfUser(read, caller.user_id, cursor ?? null, limit + 1)
    const page = found.slice(0, limit)
    const has_more = found.length > limit
    return {
      result: {
        data: page.map(presentWorkspaceOfMember),
        page: { cursor: has_more ? (page.at(-1)?.id ?? null) : null, has_more },
      },
    }
  },
)
