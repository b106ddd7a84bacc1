import { listWorkspaces } from '@wbs/contract/workspaces/workspaces'
import { implement } from '../call/implement.ts'
import { pageOf } from '../call/page.ts'
import { workspacesOfUser } from './workspace-store.ts'
import { presentWorkspaceOfMember } from './workspace-view.ts'

export const handleListWorkspaces = implement(
  listWorkspaces,
  async function listWorkspaces({ cursor, limit = 20 }, { caller, read }) {
    const found = await workspacesOfUser(read, caller.user_id, cursor ?? null, limit + 1)
    const { data, page } = pageOf(found, limit, workspace => workspace.id)
    return { result: { data: data.map(presentWorkspaceOfMember), page } }
  },
)
