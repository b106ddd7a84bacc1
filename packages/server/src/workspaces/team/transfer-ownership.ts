import { transferOwnership } from '@wbs/contract/workspaces/team'
import { implement } from '../../call/implement.ts'
import { requireRevision } from '../../call/revision.ts'
import type { Standing } from '../../call/authority/standing.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { isOwnerInPerson } from './team-access.ts'
import { editMember } from './team-rules.ts'
import { lockMember, saveMember, type MemberRow } from './team-store.ts'
import { aboutMember, memberSubject, presentMember } from './team-view.ts'

export const handleTransferOwnership = implement(
  transferOwnership,
  async function transferOwnership(
    { membership_id, expected_revision },
    { caller, standing, tx, now, refuse },
  ) {
    const [successor, owner] = await lockBoth(tx, standing, membership_id)
    if (!successor) throw refuse.not_found('There is no such member.')
    if (!isOwnerInPerson(caller, standing))
      throw refuse.forbidden('Only an owner can change who owns a Workspace, with an access token.')
    if (successor.id === standing.membership_id)
      throw refuse.validation_error('You are already an owner. Name another member.', {
        errors: [
          {
            in: 'body',
            pointer: '/membership_id',
            code: 'conflict',
            detail: 'The membership must be that of another member.',
          },
        ],
      })
    requireRevision(successor, expected_revision, ['role'], refuse)
    const newOwner = saveMember(tx, editMember(successor, { role: 'owner' }), now)
    const former = saveMember(tx, editMember(owner as MemberRow, { role: 'admin' }), now)
    return {
      result: { data: presentMember(newOwner), former_owner: presentMember(former) },
      resource: { type: 'membership', id: newOwner.id },
      changed: ['role'],
      events: [
        {
          type: 'ownership.transferred',
          subject: memberSubject(newOwner),
          about: aboutMember(newOwner),
          data: { former_owner: { membership_id: former.id, user_id: former.user_id } },
        },
      ],
    }
  },
  {
    locks: 'team',
    prefetch: ({ membership_id }, { standing, tx }) => lockBoth(tx, standing, membership_id),
  },
)

/** Locks the new owner and the present one. */
const lockBoth = (
  tx: Transaction,
  { workspace_id, membership_id: owner_id }: Standing,
  successor_id: string,
) => Promise.all([lockMember(tx, workspace_id, successor_id), lockMember(tx, workspace_id, owner_id)])
