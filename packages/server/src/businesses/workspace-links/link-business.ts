import { linkBusiness } from '@wbs/contract/businesses/workspace-links'
import { implement } from '../../call/implement.ts'
import { checkBusinessVisible, type CallerOfChange } from '../business-access.ts'
import { businessSubject } from '../business-view.ts'
import { lockLinkState, linkOrRestore } from './link-or-restore.ts'
import { businessToLink, latestObservations } from './workspace-business-store.ts'
import { presentWorkspaceBusiness } from './workspace-business-view.ts'

export const handleLinkBusiness = implement(
  linkBusiness,
  async function linkBusiness(input, context) {
    const { tx, caller, standing, now, refuse } = context
    const { business_id } = input
    const [state, item, observations] = await lockAndRead(input, context)
    if (state === 'hidden' || !item)
      throw refuse.not_found('There is no such Business, or it is not published.')
    linkOrRestore(
      tx,
      { workspace_id: standing.workspace_id, business_id, user_id: caller.user_id, now },
      state,
    )
    const found = state === 'linked'
    return {
      result: { data: presentWorkspaceBusiness(item, observations) },
      resource: { type: 'business', id: business_id },
      found,
      events: found ? [] : [{ type: 'business.linked', subject: businessSubject(item) }],
    }
  },
  { visible: checkBusinessVisible, prefetch: lockAndRead },
)

/** Locks the link and what it depends on, and reads the Business as it will be listed. */
async function lockAndRead({ business_id }: { business_id: string }, context: CallerOfChange) {
  const { tx, standing } = context
  return Promise.all([
    lockLinkState(context, business_id),
    businessToLink(tx, standing.workspace_id, business_id),
    latestObservations(tx, standing.workspace_id, [business_id]),
  ])
}
