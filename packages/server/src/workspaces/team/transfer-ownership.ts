import { transferOwnership } from '@wbs/contract/workspaces/team'
import { implement } from '../../call/implement.ts'
import { requireRevision } from '../../call/revision.ts'
import type { Standing } from '../../call/authority/standing.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { isOwnerInPerson } from './team-access.ts'
import { edited } from './team-rules.ts'
import { lockMember, saveMember, type MemberRow } from './team-store.ts'
import { aboutMember, memberSubject, presentMember } from './team-view.ts'

export const handleTransferOwnership = implement(
  transferOwnership,
  async function transferOwnership(
    { membership_id, expected_revision },
    { caller, standing, tx, now, refuse },
  ) {
    const [heir, giver] = await lockBoth(tx, standing, membership_id)
    if (!heir) throw refuse.not_found('There is no such member.')
    if (!isOwnerInPerson(caller, standing))
      throw refuse.forbidden('Only an owner can change who owns a Workspace, with an access token.')
    if (heir.id === standing.membership_id)
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
    requireRevision(heir, expected_revision, ['role'], refuse)
    const owner = saveMember(tx, edited(heir, { role: 'owner' }), now)
    const former = saveMember(tx, edited(giver as MemberRow, { role: 'admin' }), now)
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
  {
    locks: 'team',
    prefetch: ({ membership_id }, { standing, tx }) => lockBoth(tx, standing, membership_id),
  },
)

/** Who is to own the Workspace, and who owns it now. */
const lockBoth = (tx: Transaction, { workspace_id, membership_id: giver }: Standing, heir: string) =>
  Promise.all([lockMember(tx, workspace_id, heir), lockMember(tx, workspace_id, giver)])
