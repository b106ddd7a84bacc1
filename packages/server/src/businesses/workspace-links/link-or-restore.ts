import type { Transaction } from '../../database/connections/writer.ts'
import type { CallerOfChange } from '../business-access.ts'
import { lockLink, lockPublished } from '../business-access-store.ts'
import { linkPublished, restoreLink, type NewLink } from './workspace-business-store.ts'

/** Whether a Workspace has linked a Business, never has, or has removed the link; or cannot see the Business. */
export type LinkState = 'linked' | 'unlinked' | 'removed' | 'hidden'

/**
 * Locks the link, and the Business if the link depends on its publication, and returns the state. A hidden Business is not
 * locked.
 */
export async function lockLinkState(
  { tx, standing }: CallerOfChange,
  business_id: string,
): Promise<LinkState> {
  const { workspace_id, seal } = standing
  const [link, isPublished] = await Promise.all([
    lockLink(tx, workspace_id, business_id, 'change', seal),
    lockPublished(tx, workspace_id, business_id, seal),
  ])
  if (link?.sees_unpublished !== true && !isPublished) return 'hidden'
  if (!link) return 'unlinked'
  return link.removed_at === null ? 'linked' : 'removed'
}

/** Links a Business, or restores a removed link with its earlier level. Does nothing if it is linked. */
export function linkOrRestore(tx: Transaction, link: NewLink, state: LinkState): void {
  if (state === 'unlinked') linkPublished(tx, link)
  if (state === 'removed') restoreLink(tx, link)
}
