import { presentBusiness } from '../business-view.ts'
import { savedLogoUrl } from '../logo-url.ts'
import type { LatestObservation, WorkspaceBusinessRow } from './workspace-business-store.ts'

/** A Business in the list of a Workspace. `observations` may include those of other Businesses. */
export const presentWorkspaceBusiness = (
  row: WorkspaceBusinessRow,
  observations: readonly LatestObservation[],
) => ({
  ...presentBusiness(row),
  logo_url: savedLogoUrl(row.logo_url),
  observations: observations
    .filter(observation => observation.business_id === row.id)
    .map(({ observation_id, key, value, observed_on }) => ({ observation_id, key, value, observed_on })),
  workspace_access: { access_level: row.access_level },
})
