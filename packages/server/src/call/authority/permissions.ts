import { neverByKey, roles, scopes, type AccessLevel, type Role, type Scope } from '@wbs/contract/scopes'
import type { Caller } from './caller.ts'

const readOnly = scopes.filter(scope => scope.endsWith(':read') && scope !== 'audit:read')

const inOrder = (some: readonly Scope[]): ReadonlySet<Scope> =>
  new Set(scopes.filter(scope => some.includes(scope)))

/** What each role may do in a Workspace, before a member's own overrides. Only an owner may also change who owns it. */
const rolePermissions: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  owner: new Set(scopes),
  admin: new Set(scopes),
  member: inOrder([
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
  viewer: inOrder([...readOnly, 'files:download']),
}

/** A member as far as their permissions go: a role, and what was given or taken beside it. */
export interface Authority {
  role: Role
  permissions: Readonly<Record<string, boolean>>
}

/** What a member may do in person: the role, as overridden. */
export function memberPermissions({ role, permissions }: Authority): ReadonlySet<Scope> {
  // Most members have no overrides, and a caller may be asked about in many Workspaces at once.
  if (Object.keys(permissions).length === 0) return rolePermissions[role]
  return keptOnce(scopes.filter(scope => permissions[scope] ?? rolePermissions[role].has(scope)))
}

/** The same rule as SQL, for a row of memberships: whether the member may do all that an array of scopes names. */
export const hasPermissionsSql = (member: string, wanted: string): string => `not exists (
  select from unnest(${wanted}) as wanted (scope)
  where not coalesce((${member}.permissions ->> wanted.scope)::boolean, wanted.scope = any (${scopesOfRoleSql(member)})))`

const scopesOfRoleSql = (member: string) =>
  `case ${member}.role ${roles.map(role => `when '${role}' then ${scopeArraySql([...rolePermissions[role]])}`).join(' ')} end`

/** Scopes as an array of SQL. */
export const scopeArraySql = (some: readonly Scope[]): string =>
  `array[${some.map(scope => `'${scope}'`).join(', ')}]::text[]`

/**
 * What somebody may do who does not belong to the Workspace, in the Rooms they were invited to: there, their level in the
 * Room decides. Of the Workspace's own they see nothing.
 */
export const guestPermissions: ReadonlySet<Scope> = new Set([
  'rooms:read',
  'rooms:write',
  'rooms:share',
  'files:read',
  'files:write',
  'files:download',
  'goals:read',
  'tasks:read',
  'tasks:write',
  'connections:read',
  'connections:use',
  'approvals:read',
  'approvals:decide',
  'events:read',
])

/** What may be done with this credential: what the member may, and for a key no more than its scopes. */
export function effectivePermissions(caller: Caller, member: Authority): ReadonlySet<Scope> {
  const ofMember = memberPermissions(member)
  if (caller.kind === 'user') return ofMember
  return keptOnce([...ofMember].filter(scope => caller.scopes.includes(scope) && !neverByKey.includes(scope)))
}

const setsKept = new Map<string, ReadonlySet<Scope>>()
const mostKept = 1000

/** Few sets are in use, and many callers are remembered with theirs (admitted.ts): each is kept once. */
function keptOnce(some: readonly Scope[]): ReadonlySet<Scope> {
  const name = some.join(' ')
  const kept = setsKept.get(name) ?? new Set(some)
  if (setsKept.size < mostKept) setsKept.set(name, kept)
  return kept
}

/** How far a role reaches into the Workspace itself. Rooms, Files and Lists have levels of their own. */
export const workspaceAccess: Readonly<Record<Role, AccessLevel>> = {
  owner: 'full_access',
  admin: 'full_access',
  member: 'edit',
  viewer: 'view',
}
