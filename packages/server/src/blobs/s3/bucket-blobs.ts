import { createHash, hash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { BlobMissing } from '../blob-errors.ts'
import type { BlobKey, ByteRange, ListedBlob, StoredContent } from '../blob-store.ts'
import type { Bucket } from './bucket.ts'
import { isAbsent, isBeyondEnd } from './bucket-faults.ts'

/** Stores content under its key. A server that keeps its promise has stored it durably when it answers. */
export async function putBlob(
  bucket: Bucket,
  workspace_id: string,
  bytes: Uint8Array,
): Promise<StoredContent> {
  const { sdk, client, name } = bucket
  const content = { sha256: hash('sha256', bytes, 'hex'), size_bytes: bytes.byteLength }
  const Key = bucket.blobKey(workspace_id, content.sha256)
  await client.send(
    new sdk.PutObjectCommand({ Bucket: name, Key, Body: bytes, ContentLength: bytes.byteLength }),
  )
  return content
}

export async function readBlob(
  bucket: Bucket,
  workspace_id: string,
  sha256: string,
  range?: ByteRange,
): Promise<Readable> {
  const object = { Bucket: bucket.name, Key: bucket.blobKey(workspace_id, sha256) }
  if (range && range.end <= range.start) {
    if (await headOf(bucket, object.Key)) return Readable.from([])
    throw new BlobMissing(sha256)
  }
  const bytes = range && { Range: `bytes=${range.start}-${range.end - 1}` }
  try {
    const { Body } = await bucket.downloads.send(new bucket.sdk.GetObjectCommand({ ...object, ...bytes }))
    return Body as Readable
  } catch (error) {
    if (isBeyondEnd(error)) return Readable.from([])
    throw isAbsent(error) ? new BlobMissing(sha256) : error
  }
}

/** What tells one content of an object from another; null if there is no object. */
export async function headOf(
  { client, sdk, name }: Bucket,
  key: string,
): Promise<{ size_bytes: number; etag: string } | null> {
  try {
    const head = await client.send(new sdk.HeadObjectCommand({ Bucket: name, Key: key }))
    return { size_bytes: head.ContentLength ?? 0, etag: head.ETag ?? '' }
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

/** Hashes an object as it arrives. Each chunk is small, so the event loop is never blocked for long. */
export async function hashObject(bucket: Bucket, key: string, signal?: AbortSignal): Promise<StoredContent> {
  const { client, sdk, name } = bucket
  const request = new sdk.GetObjectCommand({ Bucket: name, Key: key })
  const { Body } = await client.send(request, signal && { abortSignal: signal })
  const sha256 = createHash('sha256')
  let size_bytes = 0
  for await (const chunk of Body as AsyncIterable<Uint8Array>) {
    signal?.throwIfAborted()
    sha256.update(chunk)
    size_bytes += chunk.byteLength
  }
  return { sha256: sha256.digest('hex'), size_bytes }
}

export async function removeObject({ client, sdk, name }: Bucket, key: string): Promise<void> {
  try {
    await client.send(new sdk.DeleteObjectCommand({ Bucket: name, Key: key }))
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
}

export async function* listBlobs(bucket: Bucket, after?: BlobKey): AsyncGenerator<ListedBlob> {
  const start = after && bucket.blobKey(after.workspace_id, after.sha256)
  for await (const { Key = '', Size = 0, LastModified } of objectsOf(bucket, bucket.prefix, start)) {
    const blob = bucket.blobOf(Key)
    if (blob && LastModified) yield { ...blob, size_bytes: Size, stored_at: LastModified }
  }
}

/** Objects in the order of their keys, after one if it is given. */
export async function* objectsOf({ client, sdk, name }: Bucket, prefix: string, after?: string) {
  const start = after !== undefined && { StartAfter: after }
  const pages = sdk.paginateListObjectsV2({ client }, { Bucket: name, Prefix: prefix, ...start })
  for await (const { Contents = [] } of pages) yield* Contents
}

/** Writes, reads, lists and removes an object. */
export async function checkBucket(bucket: Bucket): Promise<void> {
  const { client, sdk, name } = bucket
  const object = { Bucket: name, Key: bucket.checkKey() }
  const bytes = randomBytes(16)
  await client.send(new sdk.PutObjectCommand({ ...object, Body: bytes }))
  const { Body } = await client.send(new sdk.GetObjectCommand(object))
  const read = await buffer(Body as Readable)
  await client.send(new sdk.ListObjectsV2Command({ Bucket: name, Prefix: object.Key, MaxKeys: 1 }))
  await removeObject(bucket, object.Key)
  if (!read.equals(bytes)) throw new Error(`The bucket ${name} does not return what was written to it.`)
}
