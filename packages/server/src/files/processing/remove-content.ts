import type { BlobStore } from '../../blobs/blob-store.ts'
import type { RowScope } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { beginRemoval, endRemoval, lockContent } from './sweeper-store.ts'

/** What removes content. */
export interface RemovalParts {
  blobs: Pick<BlobStore, 'remove'>
  writers: { transaction<T>(scope: RowScope, work: (tx: Transaction) => Promise<T>): Promise<T> }
}

/** Removes a content unless a version names it, and gives whether it did. */
export type RemoveContent = (workspace_id: string, sha256: string) => Promise<boolean>

/**
 * The store is asked while no transaction is open. So that nobody names the content meanwhile, the database keeps that the
 * removal has begun, and then that it has ended. One that did not end, because the store failed or the node was killed, is
 * begun again after an hour; until then the content cannot be named.
 */
export const contentRemover =
  ({ blobs, writers }: RemovalParts): RemoveContent =>
  async (workspace_id, sha256) => {
    const scope = { workspace_id, user_id: null }
    const mayRemove = await writers.transaction(scope, async tx => {
      if (await lockContent(tx, workspace_id, sha256)) return false
      return beginRemoval(tx, workspace_id, sha256)
    })
    if (!mayRemove) return false
    await blobs.remove(workspace_id, sha256)
    await writers.transaction(scope, async tx => endRemoval(tx, workspace_id, sha256))
    return true
  }
