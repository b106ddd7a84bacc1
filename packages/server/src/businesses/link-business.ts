import { linkBusiness } from '@wbs/contract/workspace-businesses'
import { implement } from '../call/implement.ts'
import { requireVisible } from './business-access.ts'
import { subjectOf } from './business-view.ts'
import { takeIn } from './take-in.ts'
import { latestObservations, workspaceBusiness } from './workspace-business-store.ts'
import { presentWorkspaceBusiness } from './workspace-business-view.ts'

export const handleLinkBusiness = implement(
  linkBusiness,
  async ({ business_id }, { tx, caller, standing, now, refuse }) => {
    const { workspace_id } = standing
    const taken = await takeIn(tx, { workspace_id, business_id, user_id: caller.user_id, now })
    const item = taken === 'hidden' ? undefined : await workspaceBusiness(tx, workspace_id, business_id)
    if (!item) throw refuse.not_found('There is no such Business, or it is not published.')
    const observations = await latestObservations(tx, workspace_id, [business_id])
    return {
      result: { data: presentWorkspaceBusiness(item, observations) },
      resource: { type: 'business', id: business_id },
      found: taken === 'there',
      events: taken === 'linked' ? [{ type: 'business.linked', subject: subjectOf(item) }] : [],
    }
  },
  {
    visible: ({ business_id }, { tx, standing, refuse }) =>
      requireVisible(tx, standing.workspace_id, business_id, refuse),
  },
)
