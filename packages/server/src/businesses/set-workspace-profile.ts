import { setWorkspaceProfile } from '@wbs/contract/workspace-businesses'
import { implement } from '../call/implement.ts'
import { requireRevision } from '../call/revision.ts'
import { lockLink } from './business-access-store.ts'
import { notLinked, requireLinked } from './business-access.ts'
import { changedProfile, partsChangedSince } from './workspace-profile.ts'
import { profileOf, saveProfile } from './workspace-profile-store.ts'
import { presentProfile } from './workspace-profile-view.ts'

export const handleSetWorkspaceProfile = implement(
  setWorkspaceProfile,
  async ({ business_id, expected_revision, ...given }, { tx, standing, now, refuse }) => {
    const { workspace_id } = standing
    // The link stands for its profile, which may not be there yet.
    const link = await lockLink(tx, workspace_id, business_id, 'change')
    if (!link || link.removed_at !== null) throw refuse.not_found(notLinked)
    const before = await profileOf(tx, workspace_id, business_id)
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
  {
    visible: ({ business_id }, { tx, standing, refuse }) =>
      requireLinked(tx, standing.workspace_id, business_id, refuse),
  },
)
