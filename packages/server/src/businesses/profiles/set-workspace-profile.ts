import { setWorkspaceProfile } from '@wbs/contract/businesses/profiles'
import { implement } from '../../call/implement.ts'
import { requireRevision } from '../../call/revision.ts'
import { linkVisible, lockNamedLink, requireLink, type Looking } from '../business-access.ts'
import { changedProfile, partsChangedSince } from './workspace-profile.ts'
import { profileOf, saveProfile } from './workspace-profile-store.ts'
import { presentProfile } from './workspace-profile-view.ts'

export const handleSetWorkspaceProfile = implement(
  setWorkspaceProfile,
  async function setWorkspaceProfile({ business_id, expected_revision, ...given }, context) {
    const { tx, standing, now, refuse } = context
    const { workspace_id } = standing
    const [link, before] = await lockNamedProfile({ business_id }, context)
    requireLink(link, refuse)
    const missed = partsChangedSince(before, expected_revision)
    requireRevision({ revision: before?.revision ?? 0 }, expected_revision, missed, refuse)
    const { profile, changed } = changedProfile(before, given, now)
    const effective = profile !== before
    if (effective) saveProfile(tx, workspace_id, business_id, profile)
    return {
      result: { data: presentProfile(business_id, profile) },
      revision: profile.revision,
      resource: { type: 'business', id: business_id },
      changed,
      events: effective
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
  { visible: linkVisible, prefetch: lockNamedProfile },
)

/** Locks the link to the Business that the input names. It stands for its profile, which may not be there yet. */
async function lockNamedProfile({ business_id }: { business_id: string }, context: Looking) {
  const { tx, standing } = context
  return Promise.all([
    lockNamedLink(context, business_id, 'change'),
    profileOf(tx, standing.workspace_id, business_id),
  ])
}
