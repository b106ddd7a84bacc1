import type { BucketSettings } from '../blob-settings.ts'
import type { BegunUpload, BlobStore } from '../blob-store.ts'
import { createFairTurns } from '../../turns/fair-turns.ts'
import { checkBucket, headOf, listBlobs, putBlob, readBlob, removeObject } from './bucket-blobs.ts'
import { bucketFault, onBucket } from './bucket-faults.ts'
import { beginUpload, discardUpload, listUploads, partsOf, presignPart, writePart } from './bucket-uploads.ts'
import { openBucket, type Bucket } from './bucket.ts'
import { sealUpload } from './seal-upload.ts'

/** Uploads that are sealed at the same time: each is read through the service once. */
const sealsAtOnce = 4

/** Keeps content in a bucket. Nothing is loaded or connected before the first use. */
export function createS3Store(settings: BucketSettings): BlobStore {
  const turns = createFairTurns({ total: sealsAtOnce })
  let opening: Promise<Bucket> | null = null

  const on = <T>(work: (bucket: Bucket) => Promise<T>): Promise<T> =>
    onBucket(settings, async () => work(await (opening ??= openBucket(settings))))

  async function* each<T>(items: (bucket: Bucket) => AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* items(await (opening ??= openBucket(settings)))
    } catch (error) {
      throw bucketFault(error, settings)
    }
  }

  const seal = (bucket: Bucket, upload: BegunUpload, part_count: number, signal?: AbortSignal) =>
    part_count === 0
      ? putBlob(bucket, upload.workspace_id, new Uint8Array())
      : turns.run(upload.workspace_id, () => sealUpload(bucket, upload, part_count, signal), signal)

  return {
    put: (workspace_id, bytes) => on(bucket => putBlob(bucket, workspace_id, bytes)),
    read: (...blob) => on(bucket => readBlob(bucket, ...blob)),
    has: (...blob) => on(async bucket => (await headOf(bucket, bucket.blobKey(...blob))) !== null),
    remove: (...blob) => on(bucket => removeObject(bucket, bucket.blobKey(...blob))),
    list: after => each(bucket => listBlobs(bucket, after)),
    uploads: {
      begin: upload => on(bucket => beginUpload(bucket, upload)),
      partUrl: (upload, part) => on(bucket => presignPart(bucket, upload, part)),
      writePart: (...part) => on(bucket => writePart(bucket, ...part)),
      parts: upload => on(async bucket => (await partsOf(bucket, upload)) ?? []),
      seal: (upload, part_count, signal) =>
        on(bucket => seal(bucket, upload, part_count, signal)).catch((error: unknown) => {
          throw signal?.aborted ? signal.reason : error
        }),
      discard: upload => on(bucket => discardUpload(bucket, upload)),
      list: () => each(listUploads),
    },
    check: () => on(checkBucket),
    async close() {
      const bucket = await opening
      bucket?.close()
    },
  }
}
