import type { JobHandlers } from '../../jobs/job-kinds.ts'
import { discardUpload, expireUpload, type UploadJobParts } from '../uploads/expire-upload.ts'
import { processFileVersion, type ProcessingParts } from './process-file-version.ts'
import { handleRetryFileVersion } from './retry-file-version.ts'

/** The handlers of the processing of versions. */
export const processingHandlers = (parts: Parameters<typeof handleRetryFileVersion>[0]) => [
  handleRetryFileVersion(parts),
]

/** The job handlers of Files. */
export const fileJobs = (parts: UploadJobParts & ProcessingParts) =>
  ({
    process_file_version: processFileVersion(parts),
    expire_upload: expireUpload(parts),
    discard_upload: discardUpload(parts),
  }) satisfies Partial<JobHandlers>
