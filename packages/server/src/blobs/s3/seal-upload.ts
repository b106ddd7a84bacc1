import { PartsMissing, StoreUnavailable, UploadMissing } from '../blob-errors.ts'
import { missingNumbers } from '../blob-names.ts'
import type { BegunUpload, StoredContent } from '../blob-store.ts'
import { hashObject, headOf } from './bucket-blobs.ts'
import { isAbsent, isInvalidPart } from './bucket-faults.ts'
import { multipartOf, partsOf } from './bucket-uploads.ts'
import type { Bucket } from './bucket.ts'
import { copyObject } from './copy-object.ts'

/**
 * Completes the multipart upload, hashes the staging object that it becomes, and copies that to the key of the blob. The
 * staging object remains until `discard`: after a crash at any point, a repeated call goes on from it.
 */
export async function sealUpload(
  bucket: Bucket,
  upload: BegunUpload,
  part_count: number,
  signal?: AbortSignal,
): Promise<StoredContent> {
  await completeMultipart(bucket, upload, part_count)
  const staging = bucket.stagingKey(upload)
  const before = await headOf(bucket, staging)
  if (!before) throw new UploadMissing(upload.upload_id)
  const content = await hashObject(bucket, staging, signal)
  signal?.throwIfAborted()
  const blob = bucket.blobKey(upload.workspace_id, content.sha256)
  await copyObject(bucket, { from: staging, to: blob, size_bytes: content.size_bytes })
  const [after, copy] = [await headOf(bucket, staging), await headOf(bucket, blob)]
  // CopySourceIfMatch would say the same, but not every server compares it with the ETag of a multipart object.
  if (after?.etag !== before.etag || copy?.size_bytes !== content.size_bytes)
    throw new StoreUnavailable('Changed', 'The content changed while it was read; seal it again.', undefined)
  return content
}

/** From here on, S3 refuses further parts. An upload that was completed before is left as it is. */
async function completeMultipart(bucket: Bucket, upload: BegunUpload, part_count: number): Promise<void> {
  const parts = await partsOf(bucket, upload)
  if (!parts) return
  const missing = missingNumbers(
    parts.map(part => part.part_number),
    part_count,
  )
  if (missing.length > 0) throw new PartsMissing(missing)
  const Parts = parts
    .filter(part => part.part_number <= part_count)
    .map(part => ({ PartNumber: part.part_number, ETag: part.etag }))
  const request = { ...multipartOf(bucket, upload), MultipartUpload: { Parts } }
  try {
    await bucket.copies.send(new bucket.sdk.CompleteMultipartUploadCommand(request))
  } catch (error) {
    if (isInvalidPart(error))
      throw new StoreUnavailable(
        'InvalidPart',
        'A part changed while the upload was sealed; seal it again.',
        error,
      )
    // Another call completed it, or an earlier attempt did whose answer was lost.
    if (!isAbsent(error)) throw error
  }
}
