import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isId, isSha256 } from '../blob-names.ts'
import type { ListedBlob, ListedUpload } from '../blob-store.ts'
import type { BlobPaths } from './blob-paths.ts'
import { isAbsent } from './disk-faults.ts'

/** Walks over all blobs, holding one entry at a time. */
export async function* listBlobs({ root }: BlobPaths): AsyncGenerator<ListedBlob> {
  for await (const workspace_id of namesIn(root)) {
    if (!isId(workspace_id)) continue
    for await (const folder of namesIn(join(root, workspace_id)))
      for await (const sha256 of namesIn(join(root, workspace_id, folder))) {
        const found = isSha256(sha256) && (await statOf(join(root, workspace_id, folder, sha256)))
        if (found) yield { workspace_id, sha256, size_bytes: found.size, stored_at: found.mtime }
      }
  }
}

/** Walks over the folders of all uploads. */
export async function* listUploads({ uploads }: BlobPaths): AsyncGenerator<ListedUpload> {
  for await (const workspace_id of namesIn(uploads)) {
    if (!isId(workspace_id)) continue
    for await (const upload_id of namesIn(join(uploads, workspace_id))) {
      const found = isId(upload_id) && (await statOf(join(uploads, workspace_id, upload_id)))
      if (!found) continue
      // Some filesystems do not know when a folder was made.
      const began_at = found.birthtimeMs > 0 ? found.birthtime : found.mtime
      yield { workspace_id, upload_id, reference: '', began_at }
    }
  }
}

/** The names in a folder; none if it is gone. */
export async function* namesIn(folder: string): AsyncGenerator<string> {
  const directory = await opendir(folder).catch((error: unknown) => {
    if (isAbsent(error)) return null
    throw error
  })
  if (directory) for await (const { name } of directory) yield name
}

export const statOf = (path: string) =>
  stat(path).catch((error: unknown) => {
    if (isAbsent(error)) return null
    throw error
  })
