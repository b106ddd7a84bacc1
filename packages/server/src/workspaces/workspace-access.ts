import type { Scope } from '@wbs/contract/scopes'
import type { Caller } from '../call/authority/caller.ts'
import { effectivePermissions } from '../call/authority/permissions.ts'
import type { MembershipOfUser } from './workspace-store.ts'

/** The permissions of a caller in the Workspace of a membership. Nobody has any in a closed Workspace. */
export const permissionsInWorkspace = (caller: Caller, membership: MembershipOfUser): ReadonlySet<Scope> =>
  membership.workspace_status === 'closed' ? nothing : effectivePermissions(caller, membership)

const nothing: ReadonlySet<Scope> = new Set()
