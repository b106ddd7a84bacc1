import { publishBusiness } from '@wbs/contract/workspace-businesses'
import { implement } from '../call/implement.ts'
import { openBusiness, requireLatest, requireVisible } from './business-access.ts'
import { savePublished } from './business-facts-store.ts'
import { changedRecord } from './business-record.ts'
import { subjectOf } from './business-view.ts'

export const handlePublishBusiness = implement(
  publishBusiness,
  async ({ business_id, expected_revision }, { tx, standing, now, refuse }) => {
    const { workspace_id } = standing
    const business = await openBusiness(tx, workspace_id, business_id, 'full_access', refuse)
    const { publication_status: current_status } = business
    if (current_status !== 'draft' && current_status !== 'withdrawn')
      throw refuse.state_conflict('Only a draft, or what was withdrawn, can be published.', {
        current_status,
      })
    requireLatest(business, expected_revision, refuse)
    savePublished(tx, business, now)
    const changed = ['publication_status', ...(business.published_at === null ? ['published_at'] : [])]
    return {
      ...(await changedRecord(tx, workspace_id, business_id)),
      resource: { type: 'business', id: business_id },
      changed,
      events: [{ type: 'business.published', subject: subjectOf(business), data: { changed } }],
    }
  },
  {
    visible: ({ business_id }, { tx, standing, refuse }) =>
      requireVisible(tx, standing.workspace_id, business_id, refuse),
  },
)
