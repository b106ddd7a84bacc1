import { closeWorkspace } from '@wbs/contract/workspaces/workspaces'
import { implement } from '../call/implement.ts'
import { requireRevision } from '../call/revision.ts'
import { isOwnerInPerson } from './team/team-access.ts'
import { lockWorkspace, saveWorkspace } from './workspace-store.ts'
import { presentWorkspaceOfMember } from './workspace-view.ts'

export const handleCloseWorkspace = implement(
  closeWorkspace,
  async function closeWorkspace({ expected_revision }, { caller, standing, tx, now, refuse }) {
    if (!isOwnerInPerson(caller, standing))
      throw refuse.forbidden('Only an owner can close a Workspace, with an access token.')
    const workspace = await lockWorkspace(tx, standing.workspace_id)
    requireRevision(workspace, expected_revision, ['status'], refuse)
    const closed = saveWorkspace(tx, { ...workspace, status: 'closed' }, now)
    return {
      result: { data: presentWorkspaceOfMember({ ...closed, role: standing.role }) },
      revision: closed.revision,
      resource: { type: 'workspace', id: closed.id },
      changed: ['status'],
      events: [
        { type: 'workspace.closed', subject: { type: 'workspace', id: closed.id, name: closed.name } },
      ],
    }
  },
  // Waits until all changes in the Workspace have ended, and keeps others from beginning.
  { locks: 'workspace', prefetch: (_input, { standing, tx }) => lockWorkspace(tx, standing.workspace_id) },
)
