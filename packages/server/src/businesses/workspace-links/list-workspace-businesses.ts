import { listWorkspaceBusinesses } from '@wbs/contract/businesses/workspace-links'
import { implement } from '../../call/implement.ts'
import { foldName, likePattern } from '../fold.ts'
import { latestObservations, workspaceBusinesses } from './workspace-business-store.ts'
import { presentWorkspaceBusiness } from './workspace-business-view.ts'

export const handleListWorkspaceBusinesses = implement(
  listWorkspaceBusinesses,
  async function listWorkspaceBusinesses(input, { standing, read }) {
    const { workspace_id } = standing
    const { cursor = '', limit = 20 } = input
    const name = input.name === undefined ? null : foldName(input.name)
    // A text that folds to nothing matches no name, rather than every name.
    if (name === '') return { result: { data: [], page: { cursor: null, has_more: false } } }
    const page = await workspaceBusinesses(
      read,
      workspace_id,
      name === null ? null : likePattern(name),
      cursor,
      limit,
    )
    const observations = await latestObservations(
      read,
      workspace_id,
      page.rows.map(row => row.id),
    )
    return {
      result: {
        data: page.rows.map(row => presentWorkspaceBusiness(row, observations)),
        page: { cursor: page.has_more ? page.cursor : null, has_more: page.has_more },
      },
    }
  },
)
