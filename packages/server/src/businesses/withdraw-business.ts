import { withdrawBusiness } from '@wbs/contract/workspace-businesses'
import { implement } from '../call/implement.ts'
import { openBusiness, requireLatest, requireVisible } from './business-access.ts'
import { saveWithdrawn } from './business-facts-store.ts'
import { changedRecord } from './business-record.ts'
import { subjectOf } from './business-view.ts'

export const handleWithdrawBusiness = implement(
  withdrawBusiness,
  async ({ business_id, expected_revision }, { tx, standing, now, refuse }) => {
    const { workspace_id } = standing
    const business = await openBusiness(tx, workspace_id, business_id, 'full_access', refuse)
    const { publication_status: current_status } = business
    if (current_status !== 'published')
      throw refuse.state_conflict('Only a published Business can be withdrawn.', { current_status })
    requireLatest(business, expected_revision, refuse)
    saveWithdrawn(tx, business, now)
    const changed = ['publication_status']
    return {
      ...(await changedRecord(tx, workspace_id, business_id)),
      resource: { type: 'business', id: business_id },
      changed,
      events: [{ type: 'business.withdrawn', subject: subjectOf(business), data: { changed } }],
    }
  },
  {
    visible: ({ business_id }, { tx, standing, refuse }) =>
      requireVisible(tx, standing.workspace_id, business_id, refuse),
  },
)
