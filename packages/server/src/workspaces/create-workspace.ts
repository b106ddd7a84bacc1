import { createWorkspace } from '@wbs/contract/workspaces/workspaces'
import { implement } from '../call/implement.ts'
import { insertWorkspace } from './workspace-store.ts'
import { presentAccess, presentWorkspace } from './workspace-view.ts'

export const handleCreateWorkspace = implement(
  createWorkspace,
  async function createWorkspace({ name }, { caller, tx, now }) {
    const { workspace, membership } = insertWorkspace(tx, caller, name, now)
    return {
      result: {
        workspace: presentWorkspace(workspace),
        owner_membership: membership,
        access: presentAccess(membership.role),
      },
      workspace_id: workspace.id,
      resource: { type: 'workspace', id: workspace.id },
      events: [{ type: 'workspace.created', subject: { type: 'workspace', id: workspace.id, name } }],
    }
  },
)
