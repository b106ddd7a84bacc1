import type { VisibilityChecks } from '../call/commands/visibility.ts'
import { isVisibleTo } from './business-access.ts'
import { wasEverLinked } from './business-access-store.ts'
import { observationSeen } from './observations/observation-store.ts'

/** What a Workspace sees of Businesses; each of its members sees the same. */
export const businessVisibility: Pick<VisibilityChecks, 'business' | 'business_link' | 'observation'> = {
  business: (id, { standing, tx }) => isVisibleTo(tx, standing.workspace_id, id),
  // A link that was removed too: whoever took the Business out may be told so again.
  business_link: (id, { standing, tx }) => wasEverLinked(tx, standing.workspace_id, id),
  observation: (id, { standing, tx }) => observationSeen(tx, standing.workspace_id, id),
}
