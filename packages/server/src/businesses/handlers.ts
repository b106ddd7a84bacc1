import { handleCreateBusiness } from './facts/create-business.ts'
import { handlePublishBusiness } from './facts/publish-business.ts'
import { handleUpdateBusiness } from './facts/update-business.ts'
import { handleWithdrawBusiness } from './facts/withdraw-business.ts'
import { handleGetBusiness } from './get-business.ts'
import { handleCreateObservation } from './observations/create-observation.ts'
import { handleListObservations } from './observations/list-observations.ts'
import { handleRetractObservation } from './observations/retract-observation.ts'
import { handleGetWorkspaceProfile } from './profiles/get-workspace-profile.ts'
import { handleSetWorkspaceProfile } from './profiles/set-workspace-profile.ts'
import type { PartitionBounds } from './search/partitions.ts'
import { createSearchBusinesses } from './search/search-businesses.ts'
import { handleLinkBusiness } from './workspace-links/link-business.ts'
import { handleListWorkspaceBusinesses } from './workspace-links/list-workspace-businesses.ts'
import { handleUnlinkBusiness } from './workspace-links/unlink-business.ts'

interface BusinessParts {
  /** Where the partitions that search reads begin. */
  boundsOfPartitions: PartitionBounds
}

/** The handlers of this slice. Add a line for each new handler. */
export const businessHandlers = ({ boundsOfPartitions }: BusinessParts) => [
  handleGetBusiness,
  handleCreateBusiness,
  handlePublishBusiness,
  handleUpdateBusiness,
  handleWithdrawBusiness,
  handleCreateObservation,
  handleListObservations,
  handleRetractObservation,
  handleGetWorkspaceProfile,
  handleSetWorkspaceProfile,
  createSearchBusinesses(boundsOfPartitions),
  handleLinkBusiness,
  handleListWorkspaceBusinesses,
  handleUnlinkBusiness,
]
