import type { Role, Scope } from '@wbs/contract/scopes'
import { lackingToGrant } from './granting.ts'

/** What the rules look at of a membership. */
export interface Member {
  role: Role
  permissions: Record<string, boolean>
}

/** Who changes a membership. */
export interface Changer {
  role: Role
  permissions: ReadonlySet<Scope>
  /** By an access token, not by a key. */
  in_person: boolean
}

export interface MemberChanges {
  role?: Role | undefined
  permissions?: Record<string, boolean> | undefined
}

/** The membership with its changes. Whoever becomes an owner may do everything, so the overrides go. */
export function edited<M extends Member>(member: M, changes: MemberChanges): M {
  const role = changes.role ?? member.role
  const permissions = changes.permissions ?? (role === 'owner' ? {} : member.permissions)
  return { ...member, role, permissions }
}

/** The fields in which two states of a membership differ. */
export function changedFields(before: Member, after: Member): string[] {
  const isSameMap = (a: Record<string, boolean>, b: Record<string, boolean>) =>
    Object.keys(a).length === Object.keys(b).length && Object.keys(a).every(key => a[key] === b[key])
  return [
    ...(before.role === after.role ? [] : ['role']),
    ...(isSameMap(before.permissions, after.permissions) ? [] : ['permissions']),
  ]
}

/** Why somebody may not bring a membership from one state into another, null being no membership; undefined if they may. */
export function whyNotChange(
  changer: Changer,
  before: Member,
  after: Member | null,
): { detail: string; required_permission?: Scope } | undefined {
  const concernsOwners = before.role === 'owner' || after?.role === 'owner'
  if (concernsOwners && !mayChangeOwners(changer))
    return { detail: 'Only an owner can change who owns a Workspace, with an access token.' }
  for (const state of [before, after]) {
    const lacking = state && lackingToGrant(changer.permissions, state)
    if (lacking)
      return {
        detail: `You cannot grant or remove a permission that you lack: ${lacking}.`,
        required_permission: lacking,
      }
  }
  return undefined
}

export const mayChangeOwners = ({ role, in_person }: Changer): boolean => role === 'owner' && in_person

/** Whether a change leaves the Workspace without the owner that this member is. */
export const endsOwnership = (before: Member, after: Member | null): boolean =>
  before.role === 'owner' && after?.role !== 'owner'
