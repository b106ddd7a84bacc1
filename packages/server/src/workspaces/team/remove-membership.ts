import { removeMembership } from '@wbs/contract/workspaces/team'
import { implement } from '../../call/implement.ts'
import { requireRevision } from '../../call/revision.ts'
import { endMembership, openMemberToEnd } from './end-membership.ts'
import { changerOf, requireOtherOwner } from './team-access.ts'
import { findObstacle } from './team-rules.ts'
import { wasEverMember } from './team-store.ts'

export const handleRemoveMembership = implement(
  removeMembership,
  async function removeMembership(
    { membership_id, expected_revision },
    { caller, standing, tx, now, refuse },
  ) {
    const opened = await openMemberToEnd(tx, standing.workspace_id, membership_id)
    const { member: before, keys, ownedByOthers } = opened
    if (!before) throw refuse.not_found('There is no such member.')
    const obstacle = findObstacle(changerOf(caller, standing), before, null)
    if (obstacle) throw refuse.forbidden(obstacle.detail, obstacle)
    requireOtherOwner(ownedByOthers, before, null, refuse)
    if (expected_revision !== undefined) requireRevision(before, expected_revision, ['status'], refuse)
    return endMembership(tx, { member: before, keys }, 'member.removed', now)
  },
  {
    locks: 'team',
    prefetch: ({ membership_id }, { standing, tx }) =>
      openMemberToEnd(tx, standing.workspace_id, membership_id),
    visible: async ({ membership_id }, { standing, tx, refuse }) => {
      // A client that repeats the request after a lost answer must still see the member that it removed.
      if (!(await wasEverMember(tx, standing.workspace_id, membership_id)))
        throw refuse.not_found('There is no such member.')
    },
  },
)
