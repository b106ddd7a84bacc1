import { publishBusiness } from '@wbs/contract/businesses/facts'
import { implement } from '../../call/implement.ts'
import { beforeBusinessChange, openBusiness, requireLatest } from '../business-access.ts'
import { savePublished } from './business-facts-store.ts'
import { businessAnswer } from '../business-record.ts'
import { businessSubject } from '../business-view.ts'

export const handlePublishBusiness = implement(
  publishBusiness,
  async function publishBusiness({ business_id, expected_revision }, context) {
    const { tx, caller, standing, now, refuse } = context
    const business = await openBusiness(context, business_id, 'full_access')
    const { publication_status: current_status } = business
    if (current_status !== 'draft' && current_status !== 'withdrawn')
      throw refuse.state_conflict('Only a draft or a withdrawn Business can be published.', {
        current_status,
      })
    requireLatest(business, expected_revision, refuse)
    const by = { workspace_id: standing.workspace_id, user_id: caller.user_id }
    const saved = savePublished(tx, business, by, now)
    const changed = ['publication_status', ...(business.published_at === null ? ['published_at'] : [])]
    return {
      ...businessAnswer(saved),
      resource: { type: 'business', id: business_id },
      changed,
      events: [{ type: 'business.published', subject: businessSubject(business), data: { changed } }],
    }
  },
  beforeBusinessChange('full_access'),
)
