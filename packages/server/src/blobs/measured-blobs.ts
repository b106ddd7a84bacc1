import type { Meter } from '@opentelemetry/api'
import { StoreUnavailable } from './blob-errors.ts'
import type { BlobStore } from './blob-store.ts'

/** The same store; each time that it cannot be used is counted. */
export function measuredBlobs(store: BlobStore, meter: Meter): BlobStore {
  const failures = meter.createCounter('svc.blobs.failures', {
    description: 'Calls of the blob store that failed because it could not be used.',
  })

  /** The same function, with its failures counted. */
  function counted<Given extends unknown[], T>(
    operation: string,
    call: (...given: Given) => Promise<T>,
  ): (...given: Given) => Promise<T> {
    failures.add(0, { operation })
    return async (...given) => {
      try {
        return await call(...given)
      } catch (error) {
        if (error instanceof StoreUnavailable) failures.add(1, { operation })
        throw error
      }
    }
  }

  const { uploads } = store
  return {
    ...store,
    put: counted('put', store.put),
    read: counted('read', store.read),
    has: counted('has', store.has),
    remove: counted('remove', store.remove),
    uploads: {
      ...uploads,
      begin: counted('begin_upload', uploads.begin),
      partUrl: counted('part_url', uploads.partUrl),
      writePart: counted('write_part', uploads.writePart),
      parts: counted('parts', uploads.parts),
      seal: counted('seal', uploads.seal),
      discard: counted('discard_upload', uploads.discard),
    },
  }
}
