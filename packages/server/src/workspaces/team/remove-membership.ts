import { removeMembership } from '@wbs/contract/workspaces/team'
import { implement } from '../../call/implement.ts'
import { requireRevision } from '../../call/revision.ts'
import { endMembership, openMemberToEnd } from './end-membership.ts'
import { changerOf, requireOwnerLeft } from './team-access.ts'
import { whyNotChange } from './team-rules.ts'
import { wasEverMember } from './team-store.ts'
import { presentMember } from './team-view.ts'

export const handleRemoveMembership = implement(
  removeMembership,
  async function removeMembership(
    { membership_id, expected_revision },
    { caller, standing, tx, now, refuse },
  ) {
    const opened = await openMemberToEnd(tx, standing.workspace_id, membership_id)
    const { member: before, keys, ownedByOthers } = opened
    if (!before) throw refuse.not_found('There is no such member.')
    const obstacle = whyNotChange(changerOf(caller, standing), before, null)
    if (obstacle) throw refuse.forbidden(obstacle.detail, obstacle)
    requireOwnerLeft(ownedByOthers, before, null, refuse)
    if (expected_revision !== undefined) requireRevision(before, expected_revision, ['status'], refuse)
    const { member, events, jobs } = endMembership(tx, { member: before, keys }, 'member.removed', now)
    return {
      result: { data: presentMember(member) },
      resource: { type: 'membership', id: member.id },
      changed: ['status'],
      events,
      jobs,
    }
  },
  {
    locks: 'team',
    prefetch: ({ membership_id }, { standing, tx }) =>
      openMemberToEnd(tx, standing.workspace_id, membership_id),
    visible: async ({ membership_id }, { standing, tx, refuse }) => {
      // Who asks again, after an answer that was lost, finds the member gone.
      if (!(await wasEverMember(tx, standing.workspace_id, membership_id)))
        throw refuse.not_found('There is no such member.')
    },
  },
)
