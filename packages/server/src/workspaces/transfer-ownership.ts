import { transferOwnership } from '@wbs/contract/team'
import { implement } from '../call/implement.ts'
import { requireRevision } from '../call/revision.ts'
import { isOwnerInPerson } from './team-access.ts'
import { edited } from './team-rules.ts'
import { lockMember, saveMember, type MemberRow } from './team-store.ts'
import { aboutMember, memberSubject, presentMember } from './team-view.ts'

export const handleTransferOwnership = implement(
  transferOwnership,
  async ({ membership_id, expected_revision }, { caller, standing, tx, now, refuse }) => {
    const heir = await lockMember(tx, standing.workspace_id, membership_id)
    if (!heir) throw refuse.not_found('There is no such member.')
    if (!isOwnerInPerson(caller, standing))
      throw refuse.forbidden('Who owns a Workspace is for its owners to say, in person.')
    if (heir.id === standing.membership_id)
      throw refuse.validation_error('The caller is an owner already; name another member.', {
        errors: [
          {
            in: 'body',
            pointer: '/membership_id',
            code: 'conflict',
            detail: 'The membership must be of somebody else.',
          },
        ],
      })
    requireRevision(heir, expected_revision, ['role'], refuse)
    const giver = (await lockMember(tx, standing.workspace_id, standing.membership_id)) as MemberRow
    const owner = saveMember(tx, edited(heir, { role: 'owner' }), now)
    const former = saveMember(tx, edited(giver, { role: 'admin' }), now)
    return {
      result: { data: presentMember(owner), former_owner: presentMember(former) },
      resource: { type: 'membership', id: owner.id },
      changed: ['role'],
      events: [
        {
          type: 'ownership.transferred',
          subject: memberSubject(owner),
          about: aboutMember(owner),
          data: { former_owner: { membership_id: former.id, user_id: former.user_id } },
        },
      ],
    }
  },
  { locks: 'team' },
)
