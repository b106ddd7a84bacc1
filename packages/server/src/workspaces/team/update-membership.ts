import { updateMembership } from '@wbs/contract/workspaces/team'
import { implement } from '../../call/implement.ts'
import { requireRevision } from '../../call/revision.ts'
import { changerOf, openMember, requireOtherOwner } from './team-access.ts'
import { changedFields, editMember, findObstacle } from './team-rules.ts'
import { memberById, saveMember } from './team-store.ts'
import { aboutMember, memberSubject, presentMember } from './team-view.ts'

export const handleUpdateMembership = implement(
  updateMembership,
  async function updateMembership(input, { caller, standing, tx, now, refuse }) {
    const { membership_id, expected_revision, role, permissions } = input
    const { member: before, ownedByOthers } = await openMember(tx, standing.workspace_id, membership_id)
    if (!before) throw refuse.not_found('There is no such member.')
    const after = editMember(before, { role, permissions })
    if (after.role === 'owner' && Object.keys(after.permissions).length > 0)
      throw refuse.validation_error('An owner has every permission, so permissions cannot be set.', {
        errors: [
          {
            in: 'body',
            pointer: '/permissions',
            code: 'conflict',
            detail: 'An owner has every permission. Omit permissions.',
          },
        ],
      })
    const obstacle = findObstacle(changerOf(caller, standing), before, after)
    if (obstacle) throw refuse.forbidden(obstacle.detail, obstacle)
    requireOtherOwner(ownedByOthers, before, after, refuse)
    const changed = changedFields(before, after)
    requireRevision(before, expected_revision, changed, refuse)
    const member = changed.length > 0 ? saveMember(tx, after, now) : before
    return {
      result: { data: presentMember(member) },
      revision: member.revision,
      resource: { type: 'membership', id: member.id },
      changed,
      events:
        changed.length > 0
          ? [
              {
                type: 'member.updated',
                subject: memberSubject(member),
                about: aboutMember(member),
                data: { changed, role: member.role, former_role: before.role },
              },
            ]
          : [],
    }
  },
  {
    locks: 'team',
    prefetch: ({ membership_id }, { standing, tx }) => openMember(tx, standing.workspace_id, membership_id),
    visible: async ({ membership_id }, { standing, tx, refuse }) => {
      if (!(await memberById(tx, standing.workspace_id, membership_id)))
        throw refuse.not_found('There is no such member.')
    },
  },
)
