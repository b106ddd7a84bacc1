import { leaveTeam } from '@wbs/contract/team'
import { implement } from '../call/implement.ts'
import { endMembership } from './end-membership.ts'
import { requireOwnerLeft } from './team-access.ts'
import { lockMember, type MemberRow } from './team-store.ts'
import { presentMember } from './team-view.ts'

export const handleLeaveTeam = implement(
  leaveTeam,
  async (_input, { caller, standing, tx, now, refuse }) => {
    if (caller.kind !== 'user')
      throw refuse.forbidden('People leave in person; an API key cannot do it for them.')
    const before = (await lockMember(tx, standing.workspace_id, standing.membership_id)) as MemberRow
    await requireOwnerLeft(tx, before, null, refuse)
    const { member, events, jobs } = await endMembership(tx, before, 'member.left', now)
    return {
      result: { data: presentMember(member) },
      resource: { type: 'membership', id: member.id },
      changed: ['status'],
      events,
      jobs,
    }
  },
  { locks: 'team' },
)
