import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { checkedId, checkedSha256 } from '../blob-names.ts'
import type { UploadKey } from '../blob-store.ts'

/** Where content is kept below a folder. Ids contain an underscore or hyphens, so no Workspace is called `uploads`. */
export interface BlobPaths {
  root: string
  uploads: string
  /** For files that have no final name yet, on the same filesystem as all others. */
  temporary: string
  blob(workspace_id: string, sha256: string): string
  upload(upload: UploadKey): string
  newTemporary(): string
}

export function blobPaths(root: string): BlobPaths {
  const uploads = join(root, 'uploads')
  const temporary = join(root, 'temporary')
  return {
    root,
    uploads,
    temporary,
    blob: (workspace_id, sha256) =>
      join(root, checkedId(workspace_id), checkedSha256(sha256).slice(0, 2), sha256),
    upload: ({ workspace_id, upload_id }) => join(uploads, checkedId(workspace_id), checkedId(upload_id)),
    newTemporary: () => join(temporary, randomUUID()),
  }
}
