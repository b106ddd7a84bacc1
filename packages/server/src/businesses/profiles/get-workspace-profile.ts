import { getWorkspaceProfile } from '@wbs/contract/businesses/profiles'
import { implement } from '../../call/implement.ts'
import { isLinked } from '../business-access-store.ts'
import { notLinked } from '../business-access.ts'
import { profileOf } from './workspace-profile-store.ts'
import { presentProfile } from './workspace-profile-view.ts'

export const handleGetWorkspaceProfile = implement(
  getWorkspaceProfile,
  async function getWorkspaceProfile({ business_id }, { standing, read, refuse }) {
    const { workspace_id } = standing
    const [linked, row] = await Promise.all([
      isLinked(read, workspace_id, business_id),
      profileOf(read, workspace_id, business_id),
    ])
    if (!linked) throw refuse.not_found(notLinked)
    const data = presentProfile(business_id, row)
    return { result: { data }, revision: data.revision }
  },
)
