import { linkBusiness } from '@wbs/contract/workspace-businesses'
import { implement } from '../call/implement.ts'
import { businessVisible } from './business-access.ts'
import { subjectOf } from './business-view.ts'
import { lockWayIn, takeIn } from './take-in.ts'
import { latestObservations, workspaceBusiness } from './workspace-business-store.ts'
import { presentWorkspaceBusiness } from './workspace-business-view.ts'

export const handleLinkBusiness = implement(
  linkBusiness,
  async ({ business_id }, context) => {
    const { tx, caller, standing, now, refuse } = context
    const { workspace_id } = standing
    const way = await lockWayIn(context, business_id)
    if (way === 'hidden') throw refuse.not_found(notThere)
    const [isLinked, item, observations] = await Promise.all([
      takeIn(tx, { workspace_id, business_id, user_id: caller.user_id, now }, way),
      workspaceBusiness(tx, workspace_id, business_id),
      latestObservations(tx, workspace_id, [business_id]),
    ])
    if (!item) throw refuse.not_found(notThere)
    return {
      result: { data: presentWorkspaceBusiness(item, observations) },
      resource: { type: 'business', id: business_id },
      found: way === 'there',
      events: isLinked ? [{ type: 'business.linked', subject: subjectOf(item) }] : [],
    }
  },
  {
    visible: businessVisible,
    ahead: ({ business_id }, context) => lockWayIn(context, business_id),
  },
)

const notThere = 'There is no such Business, or it is not published.'
