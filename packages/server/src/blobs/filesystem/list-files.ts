import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isId, isSha256 } from '../blob-names.ts'
import type { BlobKey, ListedBlob, ListedUpload } from '../blob-store.ts'
import type { BlobPaths } from './blob-paths.ts'
import { isAbsent } from './disk-faults.ts'

/** Walks over all blobs, or those after one, by their Workspace and SHA-256. */
export async function* listBlobs({ root }: BlobPaths, after?: BlobKey): AsyncGenerator<ListedBlob> {
  for await (const workspace_id of namesInOrder(root, after?.workspace_id)) {
    if (!isId(workspace_id)) continue
    const last = workspace_id === after?.workspace_id ? after.sha256 : ''
    for await (const folder of namesInOrder(join(root, workspace_id), last.slice(0, 2)))
      for await (const sha256 of namesInOrder(join(root, workspace_id, folder), last)) {
        if (sha256 === last) continue
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

/** The names in a folder from one on, in order. It holds a limited number, so it reads a larger folder several times. */
export async function* namesInOrder(folder: string, from = '', mostHeld = 10_000): AsyncGenerator<string> {
  for (let done: string | undefined; ;) {
    let held: string[] = []
    let end: string | undefined
    for await (const name of namesIn(folder)) {
      if (name < from || (done !== undefined && name <= done) || (end !== undefined && name > end)) continue
      if (held.push(name) < 2 * mostHeld) continue
      held = held.sort().slice(0, mostHeld)
      end = held.at(-1)
    }
    held = held.sort().slice(0, mostHeld)
    yield* held
    if (held.length < mostHeld) return
    done = held.at(-1)
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
