import { linkBusiness } from '@wbs/contract/businesses/workspace-links'
import { implement } from '../../call/implement.ts'
import { businessVisible, type Looking } from '../business-access.ts'
import { subjectOf } from '../business-view.ts'
import { lockWayIn, takeIn } from './link-or-restore.ts'
import { businessToTakeIn, latestObservations } from './workspace-business-store.ts'
import { presentWorkspaceBusiness } from './workspace-business-view.ts'

export const handleLinkBusiness = implement(
  linkBusiness,
  async function linkBusiness(input, context) {
    const { tx, caller, standing, now, refuse } = context
    const { business_id } = input
    const [way, item, observations] = await lockNamed(input, context)
    if (way === 'hidden' || !item)
      throw refuse.not_found('There is no such Business, or it is not published.')
    takeIn(tx, { workspace_id: standing.workspace_id, business_id, user_id: caller.user_id, now }, way)
    const found = way === 'there'
    return {
      result: { data: presentWorkspaceBusiness(item, observations) },
      resource: { type: 'business', id: business_id },
      found,
      events: found ? [] : [{ type: 'business.linked', subject: subjectOf(item) }],
    }
  },
  { visible: businessVisible, prefetch: lockNamed },
)

/** Locks what the taking in of the Business that the input names rests on, and reads how it will be listed. */
async function lockNamed({ business_id }: { business_id: string }, context: Looking) {
  const { tx, standing } = context
  return Promise.all([
    lockWayIn(context, business_id),
    businessToTakeIn(tx, standing.workspace_id, business_id),
    latestObservations(tx, standing.workspace_id, [business_id]),
  ])
}
