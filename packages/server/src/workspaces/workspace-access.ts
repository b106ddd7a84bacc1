import type { Scope } from '@wbs/contract/scopes'
import type { Caller } from '../call/caller.ts'
import { effectivePermissions } from '../call/permissions.ts'
import type { Reader } from '../database/statement.ts'
import { someMembershipAllows, type MembershipOfUser } from './workspace-store.ts'

/** What a credential may do now in the Workspace of a membership. In a closed one nobody has standing, so nothing. */
export const permissionsInWorkspace = (caller: Caller, membership: MembershipOfUser): ReadonlySet<Scope> =>
  membership.workspace_status === 'closed' ? nothing : effectivePermissions(caller, membership)

const nothing: ReadonlySet<Scope> = new Set()

/**
 * Whether somebody may do something in any of their Workspaces, where none is named. A key has one of its own, and is
 * never asked about here.
 */
export const mayAnywhere = async (reader: Reader, caller: Caller, scope: Scope): Promise<boolean> =>
  caller.kind === 'user' && (await someMembershipAllows(reader, caller.user_id, scope))
