import type { BlobSettings } from './blob-settings.ts'
import type { BlobStore } from './blob-store.ts'
import { createFilesystemStore } from './filesystem/filesystem-store.ts'
import { createS3Store } from './s3/s3-store.ts'

/** The store of the settings: the bucket, or without one a folder, which leaves a reserve of its disk free. */
export const createBlobStore = ({ s3 }: BlobSettings, folder: string, reserveBytes = 0): BlobStore =>
  s3 ? createS3Store(s3) : createFilesystemStore(folder, reserveBytes)
