import type { Transaction } from '../../database/connections/writer.ts'
import type { ListRow } from '../list-store.ts'
import { memberStates } from './member-states-store.ts'
import { membersAmong, type MemberRow } from './member-store.ts'
import type { Membership } from './membership.ts'

/** Who of some Businesses was a member of a List before it was locked. */
export interface EarlyMembers {
  members_version: number
  states: ReadonlyMap<string, string>
  members: readonly MemberRow[]
}

/**
 * Evaluates the rule of a List before the List is locked, because a long rule takes seconds for many Businesses, and others
 * would wait for the lock as long. The states are read first, so that what changes meanwhile is noticed.
 */
export async function membersBeforeLock(
  tx: Transaction,
  { members_version }: ListRow,
  membership: Membership,
  ids: readonly string[],
): Promise<EarlyMembers> {
  const [states, members] = await Promise.all([
    memberStates(tx, membership, ids),
    membersAmong(tx, membership, ids),
  ])
  return { members_version, states, members }
}

/** The members now, under the lock: only what has changed since is evaluated again. `states` were read under the lock. */
export async function membersUnderLock(
  tx: Transaction,
  { members_version }: ListRow,
  membership: Membership,
  ids: readonly string[],
  { early, states }: { early: EarlyMembers; states: ReadonlyMap<string, string> },
): Promise<Map<string, MemberRow>> {
  const isKept = (id: string) =>
    early.members_version === members_version && early.states.get(id) === states.get(id)
  const changed = ids.filter(id => !isKept(id))
  const kept = early.members.filter(({ id }) => isKept(id))
  const again = changed.length > 0 ? await membersAmong(tx, membership, changed) : []
  return new Map([...kept, ...again].map(member => [member.id, member]))
}
