import { listWorkspaceBusinesses } from '@wbs/contract/businesses'
import { implement } from '../call/implement.ts'
import { foldName, likePattern } from './fold.ts'
import { presentBusiness } from './business-view.ts'
import { latestObservations, workspaceBusinesses } from './workspace-business-store.ts'
import { savedLogoUrl } from './logo-url.ts'

export const handleListWorkspaceBusinesses = implement(
  listWorkspaceBusinesses,
  async (input, { standing, read }) => {
    const { workspace_id } = standing
    const pattern = input.name === undefined ? null : likePattern(foldName(input.name))
    const page = await workspaceBusinesses(read, workspace_id, pattern, input.cursor ?? '', input.limit ?? 20)
    const observations = await latestObservations(
      read,
      workspace_id,
      page.rows.map(row => row.id),
    )
    return {
      result: {
        data: page.rows.map(row => ({
          ...presentBusiness(row),
          logo_url: savedLogoUrl(row.logo_url),
          observations: observations
            .filter(one => one.business_id === row.id)
            .map(({ business_id: _, ...observation }) => observation),
          workspace_access: { access_level: row.access_level },
        })),
        page: { cursor: page.has_more ? page.cursor : null, has_more: page.has_more },
      },
    }
  },
)
