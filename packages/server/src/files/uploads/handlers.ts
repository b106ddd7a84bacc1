import type { JobHandlers } from '../../jobs/job-kinds.ts'
import { processFileVersion, type ProcessingParts } from '../processing/process-file-version.ts'
import { handleAbortUpload } from './abort-upload.ts'
import { handleAddFileVersion } from './add-file-version.ts'
import { handleCompleteUpload } from './complete-upload.ts'
import { handleCreateFileUpload } from './create-file-upload.ts'
import { handleCreatePartUrls, type PartUrlParts } from './parts/create-part-urls.ts'
import { discardUpload, expireUpload, type UploadJobParts } from './expire-upload.ts'
import { handleGetUpload } from './get-upload.ts'
import { handleListUploads } from './list-uploads.ts'
import { handleUploadContent } from './upload-content.ts'

/** The handlers of uploads. */
export const uploadHandlers = (parts: PartUrlParts) => [
  handleCreateFileUpload(parts),
  handleAddFileVersion(parts),
  handleListUploads(parts),
  handleGetUpload(parts),
  handleCreatePartUrls(parts),
  handleUploadContent(parts),
  handleCompleteUpload(parts),
  handleAbortUpload(parts),
]

/** The job handlers of Files. */
export const fileJobs = (parts: UploadJobParts & ProcessingParts) =>
  ({
    process_file_version: processFileVersion(parts),
    expire_upload: expireUpload(parts),
    discard_upload: discardUpload(parts),
  }) satisfies Partial<JobHandlers>
