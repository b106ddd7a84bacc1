import type { BlobStore } from '../blobs/blob-store.ts'
import { processingHandlers } from './processing/handlers.ts'
import { uploadHandlers } from './uploads/handlers.ts'
import type { PartSignatures } from './uploads/parts/part-token.ts'
import type { UploadSettings } from './uploads/upload.ts'
import { handleArchiveFile } from './archive-file.ts'
import { handleGetFileText } from './content/get-file-text.ts'
import { handleReadFileContent } from './content/read-file-content.ts'
import { handleCreateDownloadLink } from './downloads/create-download-link.ts'
import { handleDownloadFile } from './downloads/download-file.ts'
import type { DownloadTokens } from './downloads/download-token.ts'
import { permissionHandlers } from './permissions/handlers.ts'
import { roomFileHandlers } from './room-files/handlers.ts'
import { handleGetFile } from './get-file.ts'
import { handleListFiles } from './list-files.ts'
import { handleRestoreFile } from './restore-file.ts'
import { handleCreateTextFile } from './text-files/create-text-file.ts'
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
}

/** The handlers of this slice. Add a line for each new handler. */
export const fileHandlers = ({ blobs, downloadTokens, baseUrl, signatures, settings }: FileParts) => [
  handleArchiveFile,
  handleGetFile,
  handleListFiles,
  handleRestoreFile,
  handleUpdateFile,
  handleCreateTextFile(blobs),
  handleGetFileText(blobs),
  handleReadFileContent(blobs),
  handleCreateDownloadLink(downloadTokens, baseUrl),
  handleDownloadFile(blobs),
  handleGetFileVersion,
  handleListFileVersions,
  handleRestoreFileVersion,
  ...uploadHandlers({ blobs, baseUrl, signatures, settings }),
  ...processingHandlers({ settings }),
  ...roomFileHandlers,
  ...permissionHandlers,
]
