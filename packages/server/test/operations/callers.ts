/**
 * Who sends a request. `bad` stands for every credential that must be refused (credentials.ts), `both` for a token and
 * an API key at once. The people are those of world.ts; all of them act in the Workspace of the owner. `key` is the
 * owner's API key with every scope, `weak_key` has no scope, and `foreign_key` belongs to another Workspace.
 */
export const callers = [
  'nobody',
  'bad',
  'both',
  'anonymous',
  'outsider',
  'removed',
  'viewer',
  'member',
  'admin',
  'owner',
  'key',
  'weak_key',
  'foreign_key',
] as const
export type CallerName = (typeof callers)[number]
