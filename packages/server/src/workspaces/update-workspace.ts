import { updateWorkspace } from '@wbs/contract/workspaces/workspaces'
import { implement } from '../call/implement.ts'
import { requireRevision } from '../call/revision.ts'
import { lockWorkspace, saveWorkspace } from './workspace-store.ts'
import { presentWorkspaceOfMember } from './workspace-view.ts'

const mostMetadataBytes = 16 * 1024

export const handleUpdateWorkspace = implement(
  updateWorkspace,
  async function updateWorkspace({ expected_revision, name, metadata }, { standing, tx, now, refuse }) {
    if (metadata && Buffer.byteLength(JSON.stringify(metadata)) > mostMetadataBytes)
      throw refuse.validation_error('metadata is larger than 16 KiB.', {
        errors: [
          {
            in: 'body',
            pointer: '/metadata',
            code: 'too_long',
            detail: 'metadata must be at most 16 KiB as JSON.',
          },
        ],
      })
    const workspace = await lockWorkspace(tx, standing.workspace_id)
    const wanted = { ...workspace, name: name ?? workspace.name, metadata: metadata ?? workspace.metadata }
    const changed = (['name', 'metadata'] as const).filter(
      field => JSON.stringify(wanted[field]) !== JSON.stringify(workspace[field]),
    )
    requireRevision(workspace, expected_revision, changed, refuse)
    const saved = changed.length > 0 ? saveWorkspace(tx, wanted, now) : workspace
    return {
      result: { data: presentWorkspaceOfMember({ ...saved, role: standing.role }) },
      revision: saved.revision,
      resource: { type: 'workspace', id: saved.id },
      changed,
      events:
        changed.length > 0
          ? [
              {
                type: 'workspace.updated',
                subject: { type: 'workspace', id: saved.id, name: saved.name },
                data: { changed },
              },
            ]
          : [],
    }
  },
)
