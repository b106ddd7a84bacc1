import type { Role, Scope } from '@wbs/contract/scopes'

const rank: Record<Role, number> = { viewer: 0, member: 1, admin: 2, owner: 3 }

/**
 * The lowest role that has each permission; higher roles have it too. It is written out here and not imported from the
 * service, so that a mistake in the service's own table fails a test.
 */
const lowestRole: Record<Scope, Role> = {
  'workspace:read': 'viewer',
  'workspace:manage': 'admin',
  'team:read': 'viewer',
  'team:manage': 'admin',
  'api_keys:manage': 'admin',
  'webhooks:manage': 'admin',
  'audit:read': 'admin',
  'businesses:read': 'viewer',
  'businesses:write': 'member',
  'businesses:publish': 'admin',
  'valuations:read': 'viewer',
  'valuations:run': 'member',
  'valuations:claim': 'member',
  'rooms:read': 'viewer',
  'rooms:write': 'member',
  'rooms:share': 'member',
  'files:read': 'viewer',
  'files:write': 'member',
  'files:download': 'viewer',
  'lists:read': 'viewer',
  'lists:write': 'member',
  'list_members:read': 'viewer',
  'list_values:write': 'member',
  'goals:read': 'viewer',
  'goals:write': 'member',
  'tasks:read': 'viewer',
  'tasks:write': 'member',
  'connections:read': 'viewer',
  'connections:share': 'member',
  'connections:use': 'member',
  'approvals:read': 'viewer',
  'approvals:decide': 'member',
  'events:read': 'viewer',
  'imports:run': 'member',
  'exports:run': 'member',
}

/** The permissions that no API key can have. */
const forbiddenForKeys: readonly Scope[] = ['api_keys:manage', 'approvals:decide']

export const roleHas = (role: Role, scope: Scope): boolean => rank[role] >= rank[lowestRole[scope]]

/** Whether an API key of an owner with every scope has a permission. */
export const keyMay = (scope: Scope): boolean => !forbiddenForKeys.includes(scope)
