import type { RowScope } from '../statement.ts'

/**
 * Whose share of the connections it counts for: that of the Workspace in which somebody asks, or else their own; and one
 * together of all who bring no credential. What the service asks of a Workspace by itself counts apart from its people.
 */
export function shareOf(scope: RowScope | null): string {
  const { workspace_id, user_id } = scope ?? {}
  if (!workspace_id) return user_id ? `user ${user_id}` : anonymousShare
  return user_id ? `workspace ${workspace_id}` : `service in ${workspace_id}`
}

/** The share of all who bring no credential: the many of them count as one, so it is not narrowed where others ask too. */
export const anonymousShare = 'nobody'

/** Whose doing it is: what the service asks of a Workspace by itself follows from what its people do. */
export const partyOf = (share: string): string => share.replace(/^service in /, 'workspace ')
