import { leaveTeam } from '@wbs/contract/workspaces/team'
import { implement } from '../../call/implement.ts'
import { endMembership, openMemberToEnd } from './end-membership.ts'
import { requireOtherOwner } from './team-access.ts'
import type { MemberRow } from './team-store.ts'

export const handleLeaveTeam = implement(
  leaveTeam,
  async function leaveTeam(_input, { caller, standing, tx, now, refuse }) {
    if (caller.kind !== 'user') throw refuse.forbidden('Leaving requires an access token, not an API key.')
    const { workspace_id, membership_id } = standing
    const { member: found, keys, ownedByOthers } = await openMemberToEnd(tx, workspace_id, membership_id)
    const before = found as MemberRow
    requireOtherOwner(ownedByOthers, before, null, refuse)
    return endMembership(tx, { member: before, keys }, 'member.left', now)
  },
  {
    locks: 'team',
    prefetch: (_input, { standing, tx }) =>
      openMemberToEnd(tx, standing.workspace_id, standing.membership_id),
  },
)
