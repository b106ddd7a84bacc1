import { setWorkspaceProfile } from '@wbs/contract/businesses/profiles'
import { implement } from '../../call/implement.ts'
import { requireRevision } from '../../call/revision.ts'
import { checkLinked, lockLinkOfCaller, requireLink, type CallerOfChange } from '../business-access.ts'
import { applyProfile, partsChangedSince } from './workspace-profile.ts'
import { profileOf, saveProfile } from './workspace-profile-store.ts'
import { presentProfile } from './workspace-profile-view.ts'

export const handleSetWorkspaceProfile = implement(
  setWorkspaceProfile,
  async function setWorkspaceProfile({ business_id, expected_revision, ...given }, context) {
    const { tx, standing, now, refuse } = context
    const { workspace_id } = standing
    const [link, before] = await lockAndReadProfile({ business_id }, context)
    requireLink(link, refuse)
    const missed = partsChangedSince(before, expected_revision)
    requireRevision({ revision: before?.revision ?? 0 }, expected_revision, missed, refuse)
    const { profile, changed } = applyProfile(before, given, now)
    const isSaved = profile !== before
    if (isSaved) saveProfile(tx, workspace_id, business_id, profile)
    return {
      result: { data: presentProfile(business_id, profile) },
      revision: profile.revision,
      resource: { type: 'business', id: business_id },
      changed,
      events: isSaved
        ? [
            {
              type: 'business.profile_changed',
              subject: { type: 'business', id: business_id, name: null },
              data: { changed },
            },
          ]
        : [],
    }
  },
  { visible: checkLinked, prefetch: lockAndReadProfile },
)

/** Locks the link of the Business instead of the profile, which may not exist yet. */
async function lockAndReadProfile({ business_id }: { business_id: string }, context: CallerOfChange) {
  const { tx, standing } = context
  return Promise.all([
    lockLinkOfCaller(context, business_id, 'change'),
    profileOf(tx, standing.workspace_id, business_id),
  ])
}
