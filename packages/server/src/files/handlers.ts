import type { BlobStore } from '../blobs/blob-store.ts'
import type { JobHandlers } from '../jobs/job-kinds.ts'
import {
  processFileVersion,
  processFileVersionLast,
  type ProcessingParts,
} from './processing/process-file-version.ts'
import type { RemoveContent } from './processing/remove-content.ts'
import { handleRetryFileVersion } from './processing/retry-file-version.ts'
import { handleAbortUpload } from './uploads/abort-upload.ts'
import { handleAddFileVersion } from './uploads/add-file-version.ts'
import { handleCompleteUpload } from './uploads/complete-upload.ts'
import { handleCreateFileUpload } from './uploads/create-file-upload.ts'
import { discardUpload, expireUpload, type UploadJobParts } from './uploads/expire-upload.ts'
import { handleGetUpload } from './uploads/get-upload.ts'
import { handleListUploads } from './uploads/list-uploads.ts'
import { handleCreatePartUrls } from './uploads/parts/create-part-urls.ts'
import { handleUploadContent } from './uploads/upload-content.ts'
import type { PartSignatures } from './uploads/parts/part-token.ts'
import type { UploadSettings } from './uploads/upload.ts'
import { handleArchiveFile } from './archive-file.ts'
import { handleGetFileText } from './content/get-file-text.ts'
import { handleReadFileContent } from './content/read-file-content.ts'
import { handleCreateDownloadLink } from './downloads/create-download-link.ts'
import { handleDownloadFile } from './downloads/download-file.ts'
import type { DownloadTokens } from './downloads/download-token.ts'
import { handleListRoomFilePermissions } from './permissions/list-room-file-permissions.ts'
import { handleRevokeRoomFilePermission } from './permissions/revoke-room-file-permission.ts'
import { handleSetRoomFilePermission } from './permissions/set-room-file-permission.ts'
import { handleArchiveRoomFile } from './room-files/archive-room-file.ts'
import { handleAttachRoomFile } from './room-files/attach-room-file.ts'
import { handleGetRoomFile } from './room-files/get-room-file.ts'
import { handleListRoomFiles } from './room-files/list-room-files.ts'
import { handleRestoreRoomFile } from './room-files/restore-room-file.ts'
import { handleUpdateRoomFile } from './room-files/update-room-file.ts'
import { handleGetFile } from './get-file.ts'
import { handleListFiles } from './list-files.ts'
import { handleRestoreFile } from './restore-file.ts'
import { handleCreateTextFile } from './text-files/create-text-file.ts'
import { handleGetWorkspaceUsage } from './usage/get-workspace-usage.ts'
import type { StorageLimits } from './usage/storage-limit-store.ts'
import { handleUpdateFile } from './update-file.ts'
import { handleGetFileVersion } from './versions/get-file-version.ts'
import { handleListFileVersions } from './versions/list-file-versions.ts'
import { handleRestoreFileVersion } from './versions/restore-file-version.ts'

/** What the handlers of Files need. */
export interface FileParts {
  /** Where the content of Files is. */
  blobs: BlobStore
  /** Writes the tokens of links to download. */
  downloadTokens: DownloadTokens
  /** The address of the service, which links begin with. */
  baseUrl: () => string
  /** Signs the URLs of parts. */
  signatures: PartSignatures
  settings: UploadSettings
  removeContent: RemoveContent
  limits: StorageLimits
}

/** The handlers of this slice. Add a line for each new handler. */
export function fileHandlers({
  blobs,
  downloadTokens,
  baseUrl,
  signatures,
  settings,
  removeContent,
  limits,
}: FileParts) {
  const uploads = { blobs, settings, limits }
  return [
    handleArchiveFile,
    handleGetFile,
    handleListFiles,
    handleRestoreFile,
    handleUpdateFile,
    handleCreateTextFile(blobs, { removeContent, limits }),
    handleGetFileText(blobs),
    handleReadFileContent(blobs),
    handleCreateDownloadLink(downloadTokens, baseUrl),
    handleDownloadFile(blobs),
    handleListRoomFilePermissions,
    handleRevokeRoomFilePermission,
    handleSetRoomFilePermission,
    handleRetryFileVersion({ settings }),
    handleArchiveRoomFile,
    handleAttachRoomFile,
    handleGetRoomFile,
    handleListRoomFiles,
    handleRestoreRoomFile,
    handleUpdateRoomFile,
    handleAbortUpload(uploads),
    handleAddFileVersion(uploads),
    handleCompleteUpload(uploads, removeContent),
    handleCreateFileUpload(uploads),
    handleGetUpload(uploads),
    handleListUploads(uploads),
    handleUploadContent(uploads),
    handleCreatePartUrls({ ...uploads, signatures, baseUrl }),
    handleGetFileVersion,
    handleListFileVersions,
    handleGetWorkspaceUsage(limits),
    handleRestoreFileVersion,
  ]
}

/** The job handlers of this slice. */
export const fileJobs = (parts: UploadJobParts & ProcessingParts) =>
  ({
    process_file_version: processFileVersion(parts),
    process_file_version_last: processFileVersionLast(parts),
    expire_upload: expireUpload(parts),
    discard_upload: discardUpload(parts),
  }) satisfies Partial<JobHandlers>
