import { updateWorkspace } from '@wbs/contract/workspaces/workspaces'
import { implement } from '../call/implement.ts'
import { requireRevision } from '../call/revision.ts'
import { lockWorkspace, saveWorkspace } from './workspace-store.ts'
import { presentWorkspaceOfMember } from './workspace-view.ts'

const mostMetadataBytes = 16 * 1024

/** `mostStorage`: the limit of the service, which that of a Workspace cannot exceed; null for none. */
export const handleUpdateWorkspace = (mostStorage: number | null) =>
  implement(
    updateWorkspace,
    async function updateWorkspace({ expected_revision, ...given }, { standing, tx, now, refuse }) {
      const { metadata, storage_limit_bytes = null } = given
      if (storage_limit_bytes !== null && mostStorage !== null && storage_limit_bytes > mostStorage) {
        const detail = `storage_limit_bytes can be at most ${mostStorage}, the limit of the service.`
        throw refuse.validation_error(detail, {
          errors: [{ in: 'body', pointer: '/storage_limit_bytes', code: 'out_of_range', detail }],
        })
      }
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
      const wanted = { ...workspace, ...given }
      const changed = (['name', 'metadata', 'storage_limit_bytes'] as const).filter(
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
