import { unlinkBusiness } from '@wbs/contract/businesses/workspace-links'
import { implement } from '../../call/implement.ts'
import { wasEverLinked } from '../business-access-store.ts'
import { lockLinkOfCaller, notLinked, requireLink } from '../business-access.ts'
import { unlink } from './workspace-business-store.ts'

export const handleUnlinkBusiness = implement(
  unlinkBusiness,
  async function unlinkBusiness({ business_id }, context) {
    const { tx, standing, now, refuse } = context
    requireLink(await lockLinkOfCaller(context, business_id, 'change'), refuse)
    unlink(tx, standing.workspace_id, business_id, now)
    return {
      result: { data: { business_id, removed_at: now.toISOString() } },
      resource: { type: 'business_link', id: business_id },
      events: [{ type: 'business.unlinked', subject: { type: 'business', id: business_id, name: null } }],
    }
  },
  {
    // Removed links count, so that a client can repeat the request that removed one.
    visible: async ({ business_id }, { tx, standing, refuse }) => {
      if (!(await wasEverLinked(tx, standing.workspace_id, business_id))) throw refuse.not_found(notLinked)
    },
    prefetch: ({ business_id }, context) => lockLinkOfCaller(context, business_id, 'change'),
  },
)
