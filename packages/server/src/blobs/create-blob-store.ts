import type { BlobSettings } from './blob-settings.ts'
import type { BlobStore } from './blob-store.ts'
import { createFilesystemStore } from './filesystem/filesystem-store.ts'
import { createS3Store } from './s3/s3-store.ts'

/** The store of the settings: the bucket, or without one a folder. */
export const createBlobStore = ({ s3 }: BlobSettings, folder: string): BlobStore =>
  s3 ? createS3Store(s3) : createFilesystemStore(folder)
