import type { Transaction } from '../../database/connections/writer.ts'
import type { Looking } from '../business-access.ts'
import { lockLink, lockPublished } from '../business-access-store.ts'
import { linkPublished, relink, type NewLink } from './workspace-business-store.ts'

/**
 * How a Business comes into a Workspace: it is there already, it is new to it, or it was taken out and comes back with the
 * rights it had; or the Workspace cannot see it.
 */
export type WayIn = 'there' | 'new' | 'back' | 'hidden'

/** Looks how a Business comes into a Workspace, and locks what this rests on. Of what is hidden nothing is locked. */
export async function lockWayIn({ tx, standing }: Looking, business_id: string): Promise<WayIn> {
  const { workspace_id, seal } = standing
  const [link, isPublished] = await Promise.all([
    lockLink(tx, workspace_id, business_id, 'change', seal),
    lockPublished(tx, workspace_id, business_id, seal),
  ])
  if (link?.sees_unpublished !== true && !isPublished) return 'hidden'
  if (!link) return 'new'
  return link.removed_at === null ? 'there' : 'back'
}

/** Takes a Business into a Workspace by the way that was looked for. */
export function takeIn(tx: Transaction, link: NewLink, way: WayIn): void {
  if (way === 'new') linkPublished(tx, link)
  if (way === 'back') relink(tx, link)
}
