/** The permissions of a member, which are also the scopes of an API key, as `resource:verb`. */
export const scopes = [
  'workspace:read',
  'workspace:manage',
  'team:read',
  'team:manage',
  'api_keys:manage',
  'webhooks:manage',
  'audit:read',
  'businesses:read',
  'businesses:write',
  'businesses:publish',
  'valuations:read',
  'valuations:run',
  'valuations:claim',
  'rooms:read',
  'rooms:write',
  'rooms:share',
  'files:read',
  'files:write',
  'files:download',
  'lists:read',
  'lists:write',
  'list_members:read',
  'list_values:write',
  'goals:read',
  'goals:write',
  'tasks:read',
  'tasks:write',
  'connections:read',
  'connections:share',
  'connections:use',
  'approvals:read',
  'approvals:decide',
  'events:read',
  'imports:run',
  'exports:run',
] as const
export type Scope = (typeof scopes)[number]

/** The permissions that no API key can have, whoever owns it. */
export const forbiddenForKeys: readonly Scope[] = ['api_keys:manage', 'approvals:decide']

export const roles = ['owner', 'admin', 'member', 'viewer'] as const
export type Role = (typeof roles)[number]

export const accessLevels = ['view', 'edit', 'full_access'] as const
export type AccessLevel = (typeof accessLevels)[number]

/** Whether a level includes another: full access includes edit, and edit includes view. */
export const includes = (level: AccessLevel, needed: AccessLevel): boolean =>
  accessLevels.indexOf(level) >= accessLevels.indexOf(needed)
