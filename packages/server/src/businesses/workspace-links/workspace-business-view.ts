import { presentBusiness } from '../business-view.ts'
import { savedLogoUrl } from '../logo-url.ts'
import type { LatestObservation, WorkspaceBusinessRow } from './workspace-business-store.ts'

/** A Business as a Workspace lists it, with what it has on it; `observations` may be of others too. */
export const presentWorkspaceBusiness = (
  row: WorkspaceBusinessRow,
  observations: readonly LatestObservation[],
) => ({
  ...presentBusiness(row),
  logo_url: savedLogoUrl(row.logo_url),
  observations: observations
    .filter(one => one.business_id === row.id)
    .map(({ observation_id, key, value, observed_on }) => ({ observation_id, key, value, observed_on })),
  workspace_access: { access_level: row.access_level },
})
