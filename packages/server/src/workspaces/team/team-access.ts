import type { Caller } from '../../call/authority/caller.ts'
import type { Refuse } from '../../call/problem.ts'
import type { Standing } from '../../call/authority/standing.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { removesOwner, mayChangeOwners, type Changer, type Member } from './team-rules.ts'
import { hasOtherOwner, lockMember } from './team-store.ts'

/** The caller, in the form that the rules of the team need. */
export const changerOf = (caller: Caller, { role, permissions }: Standing): Changer => ({
  role,
  permissions,
  in_person: caller.kind === 'user',
})

/** Whether the caller is an owner and uses no API key. */
export const isOwnerInPerson = (caller: Caller, standing: Standing): boolean =>
  mayChangeOwners(changerOf(caller, standing))

/** Locks a member for a change of their membership, and reads whether the Workspace has another owner. */
export async function openMember(tx: Transaction, workspace_id: string, membership_id: string) {
  const [member, ownedByOthers] = await Promise.all([
    lockMember(tx, workspace_id, membership_id),
    hasOtherOwner(tx, workspace_id, membership_id),
  ])
  return { member, ownedByOthers }
}

/** Throws state_conflict if a change would leave the Workspace without an owner. `after` is null if the membership ends. */
export function requireOtherOwner(
  ownedByOthers: boolean,
  before: Member,
  after: Member | null,
  refuse: Refuse<'state_conflict'>,
): void {
  if (removesOwner(before, after) && !ownedByOthers)
    throw refuse.state_conflict('A Workspace needs at least one owner. Make another member an owner first.', {
      current_status: 'last_owner',
    })
}
