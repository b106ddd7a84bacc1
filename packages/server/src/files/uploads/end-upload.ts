import type { ProcessingError } from '@wbs/contract/files/version-schema'
import type { StoredContent } from '../../blobs/blob-store.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { JobDraft } from '../../jobs/job-kinds.ts'
import type { VersionRow } from '../file-store.ts'
import { presentFile } from '../file-view.ts'
import { saveCurrentVersion } from '../file-change-store.ts'
import { saveFailedVersion } from '../processing/version-change-store.ts'
import { failedEvents } from '../processing/version-events.ts'
import type { OpenedUpload } from './upload-access.ts'
import { endUpload } from './upload-change-store.ts'
import type { UploadRow } from './upload-store.ts'
import { presentUploadWithoutParts, type UploadParts } from './upload-view.ts'

interface Change {
  tx: Transaction
  now: Date
}

/** Ends an upload whose version fails. `unnamed`: the content that it became, which no version names. */
export function failUpload(
  opened: OpenedUpload,
  status: 'completed' | 'aborted',
  processing_error: ProcessingError,
  parts: UploadParts,
  { tx, now }: Change,
  unnamed?: StoredContent,
) {
  const version = saveFailedVersion(tx, opened.file, opened.upload.version, processing_error)
  const upload = endUpload(tx, opened.upload, status, now)
  return endedUpload({ ...opened, upload }, version, parts, { tx, now }, unnamed)
}

/** The outcome of a change that ended an upload and left its version like this. */
export function endedUpload(
  { file, upload }: OpenedUpload,
  version: VersionRow,
  { settings }: UploadParts,
  { tx, now }: Change,
  unnamed?: StoredContent,
) {
  const isCurrent = file.current_version.file_version_id === version.file_version_id
  const saved = isCurrent ? saveCurrentVersion(tx, file, version, now) : file
  return {
    result: {
      file: presentFile(saved),
      new_version: version,
      upload: presentUploadWithoutParts(upload, settings),
    },
    revision: saved.revision,
    resource: { type: 'file' as const, id: file.file_id },
    changed: ['versions'],
    events: version.processing_status === 'failed' ? failedEvents(file, version) : [],
    jobs: [discardJob(upload, unnamed)],
  }
}

/** The job that removes the parts of an upload that has ended, and the content that no version names. */
export const discardJob = (
  { workspace_id, upload_id }: Pick<UploadRow, 'workspace_id' | 'upload_id'>,
  unnamed?: StoredContent,
): JobDraft => ({
  kind: 'discard_upload',
  data: { workspace_id, upload_id, ...(unnamed && { sha256: unnamed.sha256 }) },
})
