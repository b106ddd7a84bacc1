import type { Transaction } from '../database/writer.ts'
import { lockLink, lockPublication, sightOf } from './business-access-store.ts'
import { linkPublished, relink, type NewLink } from './workspace-business-store.ts'

/**
 * Takes a Business into a Workspace: a published one, or one that was in it before and comes back with the rights it had.
 * Answers whether it was there already, or that the Workspace cannot see it. Of what is hidden nothing is locked.
 */
export async function takeIn(tx: Transaction, link: NewLink): Promise<'there' | 'linked' | 'hidden'> {
  const { workspace_id, business_id } = link
  const earlier = await lockLink(tx, workspace_id, business_id, 'change')
  if (earlier?.sees_unpublished !== true && !(await staysPublished(tx, workspace_id, business_id)))
    return 'hidden'
  if (!earlier) return (await linkPublished(tx, link)) ? 'linked' : 'there'
  if (earlier.removed_at === null) return 'there'
  relink(tx, link)
  return 'linked'
}

/** Whether a Business is published, and stays so until the transaction ends. */
async function staysPublished(tx: Transaction, workspace_id: string, business_id: string): Promise<boolean> {
  const before = await sightOf(tx, workspace_id, business_id)
  if (before?.publication_status !== 'published') return false
  const [, locked] = await Promise.all([
    lockPublication(tx, business_id),
    sightOf(tx, workspace_id, business_id),
  ])
  return locked?.publication_status === 'published'
}
