import type { ListMultipartUploadsCommandOutput, ListPartsCommandOutput, Part } from '@aws-sdk/client-s3'
import { PartSizeMismatch, UploadMissing } from '../blob-errors.ts'
import { checkedPartNumber } from '../blob-names.ts'
import type {
  BegunUpload,
  DeclaredPart,
  ListedUpload,
  PartUrl,
  StoredPart,
  UploadKey,
} from '../blob-store.ts'
import { objectsOf, removeObject } from './bucket-blobs.ts'
import { isAbsent } from './bucket-faults.ts'
import type { Bucket } from './bucket.ts'

/** How the SDK names a multipart upload. */
export const multipartOf = (bucket: Bucket, upload: BegunUpload) => ({
  Bucket: bucket.name,
  Key: bucket.stagingKey(upload),
  UploadId: upload.reference,
})

export async function beginUpload(bucket: Bucket, upload: UploadKey): Promise<string> {
  const request = { Bucket: bucket.name, Key: bucket.stagingKey(upload) }
  const { UploadId } = await bucket.client.send(new bucket.sdk.CreateMultipartUploadCommand(request))
  if (UploadId === undefined) throw new Error('S3 returned no id of a multipart upload.')
  return UploadId
}

/** The size is signed too, so that a URL for a part cannot fill the bucket. */
export async function presignPart(
  bucket: Bucket,
  upload: BegunUpload,
  part: DeclaredPart & { expires_in_seconds: number },
): Promise<PartUrl> {
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
  const request = new bucket.sdk.UploadPartCommand({
    ...multipartOf(bucket, upload),
    PartNumber: checkedPartNumber(part.part_number),
    ContentLength: part.size_bytes,
  })
  const url = await getSignedUrl(bucket.client, request, {
    expiresIn: part.expires_in_seconds,
    signableHeaders: new Set(['content-length']),
  })
  return { url, headers: { 'content-length': String(part.size_bytes) } }
}

export async function writePart(
  bucket: Bucket,
  upload: BegunUpload,
  part: DeclaredPart,
  body: AsyncIterable<Uint8Array>,
): Promise<{ etag: string }> {
  const request = new bucket.sdk.UploadPartCommand({
    ...multipartOf(bucket, upload),
    PartNumber: checkedPartNumber(part.part_number),
    Body: await collect(part, body),
    ContentLength: part.size_bytes,
  })
  try {
    const { ETag = '' } = await bucket.client.send(request)
    return { etag: ETag }
  } catch (error) {
    throw isAbsent(error) ? new UploadMissing(upload.upload_id) : error
  }
}

/** In memory, because the SDK can send a stream only once, and so could not repeat the request. */
async function collect(part: DeclaredPart, body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > part.size_bytes) break
    chunks.push(chunk)
  }
  if (size !== part.size_bytes) throw new PartSizeMismatch(part.part_number, part.size_bytes)
  return Buffer.concat(chunks, size)
}

/** The parts of a multipart upload; null if there is none, because it was sealed or discarded. */
export async function partsOf(bucket: Bucket, upload: BegunUpload): Promise<StoredPart[] | null> {
  const found: StoredPart[] = []
  try {
    for await (const { PartNumber = 0, Size = 0, ETag = '', LastModified = new Date() } of listParts(
      bucket,
      upload,
    ))
      found.push({ part_number: PartNumber, size_bytes: Size, etag: ETag, stored_at: LastModified })
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
  return found.sort((first, other) => first.part_number - other.part_number)
}

/** The SDK's own paginator never ends with a server that names a next page after the last one, as Swift does. */
async function* listParts(bucket: Bucket, upload: BegunUpload): AsyncGenerator<Part> {
  let marker: { PartNumberMarker?: string } | null = {}
  while (marker) {
    const request = { ...multipartOf(bucket, upload), ...marker }
    const page: ListPartsCommandOutput = await bucket.client.send(new bucket.sdk.ListPartsCommand(request))
    yield* page.Parts ?? []
    const { IsTruncated, NextPartNumberMarker } = page
    marker =
      IsTruncated && NextPartNumberMarker !== undefined ? { PartNumberMarker: NextPartNumberMarker } : null
  }
}

export async function discardUpload(bucket: Bucket, upload: BegunUpload): Promise<void> {
  const { client, sdk } = bucket
  if (upload.reference !== '')
    try {
      await client.send(new sdk.AbortMultipartUploadCommand(multipartOf(bucket, upload)))
    } catch (error) {
      if (!isAbsent(error)) throw error
    }
  await removeObject(bucket, bucket.stagingKey(upload))
}

/** Uploads in progress, and those that are sealed and not discarded. The latter have no reference any more: ''. */
export async function* listUploads(bucket: Bucket): AsyncGenerator<ListedUpload> {
  const { client, sdk, name, uploadsPrefix } = bucket
  let after: { KeyMarker?: string; UploadIdMarker?: string } | null = {}
  while (after) {
    const request = { Bucket: name, Prefix: uploadsPrefix, ...after }
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new sdk.ListMultipartUploadsCommand(request),
    )
    for (const { Key = '', UploadId = '', Initiated } of page.Uploads ?? []) {
      const upload = bucket.uploadOf(Key)
      if (upload && Initiated) yield { ...upload, reference: UploadId, began_at: Initiated }
    }
    const { IsTruncated, NextKeyMarker, NextUploadIdMarker } = page
    after =
      IsTruncated && NextKeyMarker !== undefined
        ? { KeyMarker: NextKeyMarker, ...(NextUploadIdMarker && { UploadIdMarker: NextUploadIdMarker }) }
        : null
  }
  for await (const { Key = '', LastModified } of objectsOf(bucket, uploadsPrefix)) {
    const upload = bucket.uploadOf(Key)
    if (upload && LastModified) yield { ...upload, reference: '', began_at: LastModified }
  }
}
