import { unlinkBusiness } from '@wbs/contract/workspace-businesses'
import { implement } from '../call/implement.ts'
import { lockLink, wasEverLinked } from './business-access-store.ts'
import { notLinked } from './business-access.ts'
import { unlink } from './workspace-business-store.ts'

export const handleUnlinkBusiness = implement(
  unlinkBusiness,
  async ({ business_id }, { tx, standing, now, refuse }) => {
    const { workspace_id } = standing
    const link = await lockLink(tx, workspace_id, business_id, 'change')
    if (!link || link.removed_at !== null) throw refuse.not_found(notLinked)
    unlink(tx, workspace_id, business_id, now)
    return {
      result: { data: { business_id, removed_at: now.toISOString() } },
      resource: { type: 'business_link', id: business_id },
      events: [{ type: 'business.unlinked', subject: { type: 'business', id: business_id, name: null } }],
    }
  },
  {
    // A removed link too: whoever took the Business out may be told so again.
    visible: async ({ business_id }, { tx, standing, refuse }) => {
      if (!(await wasEverLinked(tx, standing.workspace_id, business_id))) throw refuse.not_found(notLinked)
    },
  },
)
