import type { Caller } from '../../call/authority/caller.ts'
import type { Refuse } from '../../call/problem.ts'
import type { Standing } from '../../call/authority/standing.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { endsOwnership, mayChangeOwners, type Changer, type Member } from './team-rules.ts'
import { hasOtherOwner, lockMember } from './team-store.ts'

/** A caller as the rules of the team judge them. */
export const changerOf = (caller: Caller, { role, permissions }: Standing): Changer => ({
  role,
  permissions,
  in_person: caller.kind === 'user',
})

/** Whether an owner acts, and no key of theirs. */
export const isOwnerInPerson = (caller: Caller, standing: Standing): boolean =>
  mayChangeOwners(changerOf(caller, standing))

/** A member whose membership is to be changed, locked, and whether the Workspace has an owner besides them. */
export async function openMember(tx: Transaction, workspace_id: string, membership_id: string) {
  const [member, ownedByOthers] = await Promise.all([
    lockMember(tx, workspace_id, membership_id),
    hasOtherOwner(tx, workspace_id, membership_id),
  ])
  return { member, ownedByOthers }
}

/** Throws state_conflict where a change, after being null where the membership ends, would leave nobody to own the Workspace. */
export function requireOwnerLeft(
  ownedByOthers: boolean,
  before: Member,
  after: Member | null,
  refuse: Refuse<'state_conflict'>,
): void {
  if (endsOwnership(before, after) && !ownedByOthers)
    throw refuse.state_conflict('A Workspace needs at least one owner. Make another member an owner first.', {
      current_status: 'last_owner',
    })
}
