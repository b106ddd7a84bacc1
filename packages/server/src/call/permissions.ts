import { scopes, type AccessLevel, type Role, type Scope } from '@wbs/contract/scopes'
import type { Caller } from './caller.ts'

const readOnly = scopes.filter(scope => scope.endsWith(':read') && scope !== 'audit:read')

/** What each role may do in a Workspace, before a member's own overrides. Only an owner may also change who owns it. */
const rolePermissions: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  owner: new Set(scopes),
  admin: new Set(scopes),
  member: new Set([
    ...readOnly,
    'businesses:write',
    'valuations:run',
    'valuations:claim',
    'rooms:write',
    'rooms:share',
    'files:write',
    'files:download',
    'lists:write',
    'list_values:write',
    'goals:write',
    'tasks:write',
    'connections:share',
    'connections:use',
    'approvals:decide',
    'imports:run',
    'exports:run',
  ]),
  viewer: new Set([...readOnly, 'files:download']),
}

/** What no key may ever do, whoever owns it. */
export const neverByKey: ReadonlySet<Scope> = new Set(['api_keys:manage', 'approvals:decide'])

/** What may be done with this credential: the role, as overridden, and for a key no more than its scopes. */
export function effectivePermissions(
  caller: Caller,
  member: { role: Role; permissions: Readonly<Record<string, boolean>> },
): ReadonlySet<Scope> {
  const granted = rolePermissions[member.role]
  const ofMember = (scope: Scope) => member.permissions[scope] ?? granted.has(scope)
  const ofCredential = (scope: Scope) =>
    caller.kind === 'user' || (caller.scopes.includes(scope) && !neverByKey.has(scope))
  return new Set(scopes.filter(scope => ofMember(scope) && ofCredential(scope)))
}

/** How far a role reaches into the Workspace itself. Rooms, Files and Lists have levels of their own. */
export const workspaceAccess: Readonly<Record<Role, AccessLevel>> = {
  owner: 'full_access',
  admin: 'full_access',
  member: 'edit',
  viewer: 'view',
}
