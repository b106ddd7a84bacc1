import type { VisibilityChecks } from '../call/commands/visibility.ts'
import { canSeeBusiness } from './business-access.ts'
import { wasEverLinked } from './business-access-store.ts'
import { isObservationVisible } from './observations/observation-store.ts'

/** Whether a Workspace can see the resource that a receipt names. All members see the same. */
export const businessVisibility: Pick<VisibilityChecks, 'business' | 'business_link' | 'observation'> = {
  business: (id, { standing, tx }) => canSeeBusiness(tx, standing.workspace_id, id),
  // Removed links count, so that a client can repeat the request that removed one.
  business_link: (id, { standing, tx }) => wasEverLinked(tx, standing.workspace_id, id),
  observation: (id, { standing, tx }) => isObservationVisible(tx, standing.workspace_id, id),
}
