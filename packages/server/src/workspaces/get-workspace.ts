import { getWorkspace } from '@wbs/contract/workspaces/workspaces'
import { implement } from '../call/implement.ts'
import { workspaceOfMember } from './workspace-store.ts'
import { presentWorkspaceOfMember } from './workspace-view.ts'

export const handleGetWorkspace = implement(
  getWorkspace,
  async function getWorkspace(_input, { caller, standing, read, refuse }) {
    const workspace = await workspaceOfMember(read, standing.workspace_id, caller.user_id)
    if (!workspace) throw refuse.not_found('There is no such Workspace.')
    return { result: { data: presentWorkspaceOfMember(workspace) }, revision: workspace.revision }
  },
)
