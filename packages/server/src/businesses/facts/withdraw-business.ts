import { withdrawBusiness } from '@wbs/contract/businesses/facts'
import { implement } from '../../call/implement.ts'
import { beforeBusinessChange, openBusiness, requireLatest } from '../business-access.ts'
import { saveWithdrawn } from './business-facts-store.ts'
import { businessAnswer } from '../business-record.ts'
import { businessSubject } from '../business-view.ts'

export const handleWithdrawBusiness = implement(
  withdrawBusiness,
  async function withdrawBusiness({ business_id, expected_revision }, context) {
    const { tx, caller, standing, now, refuse } = context
    const business = await openBusiness(context, business_id, 'full_access')
    const { publication_status: current_status } = business
    if (current_status !== 'published')
      throw refuse.state_conflict('Only a published Business can be withdrawn.', { current_status })
    requireLatest(business, expected_revision, refuse)
    const by = { workspace_id: standing.workspace_id, user_id: caller.user_id }
    const saved = saveWithdrawn(tx, business, by, now)
    const changed = ['publication_status']
    return {
      ...businessAnswer(saved),
      resource: { type: 'business', id: business_id },
      changed,
      events: [{ type: 'business.withdrawn', subject: businessSubject(business), data: { changed } }],
    }
  },
  beforeBusinessChange('full_access'),
)
