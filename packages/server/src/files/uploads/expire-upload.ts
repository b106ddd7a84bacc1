import type { SystemChange } from '../../call/system-change.ts'
import type { Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { JobHandlers } from '../../jobs/job-kinds.ts'
import { lockFileOfService } from '../processing/service-lock-store.ts'
import { saveCurrentVersion } from '../file-change-store.ts'
import type { RemoveContent } from '../processing/remove-content.ts'
import { saveFailedVersion } from '../processing/version-change-store.ts'
import { failedEvents } from '../processing/version-events.ts'
import { expiryJob } from './begin-upload.ts'
import { discardJob } from './end-upload.ts'
import { endUpload } from './upload-change-store.ts'
import { expiryOf } from './upload.ts'
import { uploadOfWorkspace } from './upload-store.ts'
import type { UploadParts } from './upload-view.ts'

export interface UploadJobParts extends UploadParts {
  readers: { scoped(scope: { workspace_id: string; user_id: null }): Reader }
  change: SystemChange
  now: () => Date
  removeContent: RemoveContent
}

/**
 * Records that an upload has expired: its version fails. If parts have arrived meanwhile, it expires later, and another job
 * is due then.
 */
export const expireUpload =
  ({ readers, blobs, change, settings, now }: UploadJobParts): JobHandlers['expire_upload'] =>
  async ({ workspace_id, upload_id }, job) => {
    const reader = readers.scoped({ workspace_id, user_id: null })
    const upload = await uploadOfWorkspace(reader, workspace_id, upload_id)
    if (upload?.status !== 'open') return
    const due = expiryOf(upload, await blobs.uploads.parts(upload), settings)
    const isOver = due <= now()
    await change(workspace_id, job, async tx =>
      isOver
        ? recordExpiry(tx, workspace_id, upload_id, now())
        : { events: [], jobs: [expiryJob(upload, due)] },
    )
  }

async function recordExpiry(tx: Transaction, workspace_id: string, upload_id: string, now: Date) {
  const seen = await uploadOfWorkspace(tx, workspace_id, upload_id)
  if (!seen) return []
  const [file, upload] = await Promise.all([
    lockFileOfService(tx, workspace_id, seen.file_id),
    uploadOfWorkspace(tx, workspace_id, upload_id),
  ])
  // Somebody may have completed or aborted it before the File was locked.
  if (!file || upload?.status !== 'open') return []
  endUpload(tx, upload, 'expired', now)
  const version = saveFailedVersion(tx, upload, upload.version, 'upload_expired')
  if (file.current_version.file_version_id === version.file_version_id)
    saveCurrentVersion(tx, file, version, now)
  return { events: failedEvents(file, version), jobs: [discardJob(upload)] }
}

/** Removes the parts of an upload that has ended, and the content that it became if no version names it. */
export const discardUpload =
  ({
    readers,
    blobs,
    removeContent,
  }: Pick<UploadJobParts, 'readers' | 'blobs' | 'removeContent'>): JobHandlers['discard_upload'] =>
  async ({ workspace_id, upload_id, sha256 }) => {
    const reader = readers.scoped({ workspace_id, user_id: null })
    const upload = await uploadOfWorkspace(reader, workspace_id, upload_id)
    if (upload && upload.status !== 'open') await blobs.uploads.discard(upload)
    if (sha256 !== undefined) await removeContent(workspace_id, sha256)
  }
