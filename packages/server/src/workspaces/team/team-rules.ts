import type { Role, Scope } from '@wbs/contract/scopes'
import { missingToGrant } from './grant-rules.ts'

/** What the rules below need of a membership. */
export interface Member {
  role: Role
  permissions: Record<string, boolean>
}

/** Who changes a membership. */
export interface Changer {
  role: Role
  permissions: ReadonlySet<Scope>
  /** With an access token, not with an API key. */
  in_person: boolean
}

export interface MemberChanges {
  role?: Role | undefined
  permissions?: Record<string, boolean> | undefined
}

/** Applies changes to a membership. An owner may do everything, so a new owner loses single permissions. */
export function editMember<M extends Member>(member: M, changes: MemberChanges): M {
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

/** Why a caller may not make this change of a membership; undefined if they may. `after` is null if the membership ends. */
export function findObstacle(
  changer: Changer,
  before: Member,
  after: Member | null,
): { detail: string; required_permission?: Scope } | undefined {
  const concernsOwners = before.role === 'owner' || after?.role === 'owner'
  if (concernsOwners && !mayChangeOwners(changer))
    return { detail: 'Only an owner can change who owns a Workspace, with an access token.' }
  for (const state of [before, after]) {
    const lacking = state && missingToGrant(changer.permissions, state)
    if (lacking)
      return {
        detail: `You cannot grant or remove a permission that you lack: ${lacking}.`,
        required_permission: lacking,
      }
  }
  return undefined
}

export const mayChangeOwners = ({ role, in_person }: Changer): boolean => role === 'owner' && in_person

/** Whether a change takes the role of owner away from a member. */
export const removesOwner = (before: Member, after: Member | null): boolean =>
  before.role === 'owner' && after?.role !== 'owner'
