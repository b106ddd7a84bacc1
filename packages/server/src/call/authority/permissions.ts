import {
  forbiddenForKeys,
  roles,
  scopes,
  type AccessLevel,
  type Role,
  type Scope,
} from '@wbs/contract/scopes'
import type { Caller } from './caller.ts'

const readOnly = scopes.filter(scope => scope.endsWith(':read') && scope !== 'audit:read')

const inOrder = (some: readonly Scope[]): ReadonlySet<Scope> =>
  new Set(scopes.filter(scope => some.includes(scope)))

/** What each role may do in a Workspace, before the overrides of a member. Only an owner may transfer ownership. */
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

/** The part of a membership that permissions depend on: the role, and the overrides. */
export interface Authority {
  role: Role
  permissions: Readonly<Record<string, boolean>>
}

/** The permissions of a member who acts in person: those of the role, with the overrides applied. */
export function memberPermissions({ role, permissions }: Authority): ReadonlySet<Scope> {
  // A fast path, since most members have no overrides and a stream checks many callers at once.
  if (Object.keys(permissions).length === 0) return rolePermissions[role]
  return keptOnce(scopes.filter(scope => permissions[scope] ?? rolePermissions[role].has(scope)))
}

/** The same rule in SQL: whether the member of a row of memberships has all scopes of an array. */
export const hasPermissionsSql = (member: string, wanted: string): string => `not exists (
  select from unnest(${wanted}) as wanted (scope)
  where not coalesce((${member}.permissions ->> wanted.scope)::boolean, wanted.scope = any (${scopesOfRoleSql(member)})))`

const scopesOfRoleSql = (member: string) =>
  `case ${member}.role ${roles.map(role => `when '${role}' then ${scopeArraySql([...rolePermissions[role]])}`).join(' ')} end`

/** Scopes as an SQL array. */
export const scopeArraySql = (some: readonly Scope[]): string =>
  `array[${some.map(scope => `'${scope}'`).join(', ')}]::text[]`

/**
 * The permissions of a guest, who is no member but was invited to Rooms. They apply in those Rooms, where the access
 * level decides; a guest sees nothing else of the Workspace.
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

/** The permissions of a credential: those of the member, limited for an API key to its scopes. */
export function effectivePermissions(caller: Caller, member: Authority): ReadonlySet<Scope> {
  const ofMember = memberPermissions(member)
  if (caller.kind === 'user') return ofMember
  return keptOnce(
    [...ofMember].filter(scope => caller.scopes.includes(scope) && !forbiddenForKeys.includes(scope)),
  )
}

const setsKept = new Map<string, ReadonlySet<Scope>>()
const mostKept = 1000

/** Few distinct sets are in use and many callers are cached with theirs (known-members.ts), so equal sets are shared. */
function keptOnce(some: readonly Scope[]): ReadonlySet<Scope> {
  const name = some.join(' ')
  const kept = setsKept.get(name) ?? new Set(some)
  if (setsKept.size < mostKept) setsKept.set(name, kept)
  return kept
}

/** The access level that a role has to the Workspace itself. Rooms, Files and Lists have access levels of their own. */
export const workspaceAccess: Readonly<Record<Role, AccessLevel>> = {
  owner: 'full_access',
  admin: 'full_access',
  member: 'edit',
  viewer: 'view',
}
