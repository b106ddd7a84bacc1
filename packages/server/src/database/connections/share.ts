import type { RowScope } from '../statement.ts'

/**
 * The share of connections that a statement is charged to: that of the Workspace; without one, the user's; one share
 * for all who send no credential. The service's own work in a Workspace has a share apart from its people.
 */
export function shareOf(scope: RowScope | null): string {
  const { workspace_id, user_id } = scope ?? {}
  if (!workspace_id) return user_id ? `user ${user_id}` : anonymousShare
  return user_id ? `workspace ${workspace_id}` : `service in ${workspace_id}`
}

/** The share of all requests without a credential. They are many people, so the share is not reduced while others compete. */
const anonymousShare = 'nobody'

/** The party that a share belongs to. The service's own work in a Workspace follows from what its people do. */
export const partyOf = (share: string): string | null =>
  share === anonymousShare ? null : share.replace(/^service in /, 'workspace ')
