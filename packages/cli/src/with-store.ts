import { join } from 'node:path'
import type { BlobStore } from '@wbs/server/blobs/blob-store'
import { createBlobStore } from '@wbs/server/blobs/create-blob-store'
import { readConfig } from '@wbs/server/config'

/** Runs `work` with the store of the service's content. */
export async function withStore<T>(work: (store: BlobStore) => Promise<T>): Promise<T> {
  const { blobs, dataDir } = readConfig(process.env)
  const store = createBlobStore(blobs, join(dataDir, 'blobs'))
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
