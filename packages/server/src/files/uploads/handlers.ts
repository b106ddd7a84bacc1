import { handleAbortUpload } from './abort-upload.ts'
import { handleAddFileVersion } from './add-file-version.ts'
import { handleCompleteUpload } from './complete-upload.ts'
import { handleCreateFileUpload } from './create-file-upload.ts'
import { handleCreatePartUrls, type PartUrlParts } from './create-part-urls.ts'
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
