import { hash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { BegunUpload, BlobStore, UploadKey } from '../../src/blobs/blob-store.ts'

/** An id of a form that the store takes. */
export const newTestId = (prefix: string): string =>
  `${prefix}_${randomBytes(13).toString('hex').toUpperCase()}`

export const newUpload = (workspace_id = newTestId('wsp')): UploadKey => ({
  workspace_id,
  upload_id: newTestId('upl'),
})

export const sha256Of = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex')

export const contentOf = (bytes: Uint8Array) => ({ sha256: sha256Of(bytes), size_bytes: bytes.byteLength })

export async function begin(store: BlobStore, key = newUpload()): Promise<BegunUpload> {
  return { ...key, reference: await store.uploads.begin(key) }
}

/** Sends a part through the service, in chunks as a request has them. */
export function send(store: BlobStore, upload: BegunUpload, part_number: number, bytes: Uint8Array) {
  return store.uploads.writePart(upload, { part_number, size_bytes: bytes.byteLength }, inChunks(bytes))
}

export async function* inChunks(bytes: Uint8Array, size = 10_000): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += size) {
    await Promise.resolve()
    yield bytes.subarray(start, start + size)
  }
}

export async function readAll(
  store: BlobStore,
  workspace_id: string,
  sha256: string,
  range?: { start: number; end: number },
): Promise<Buffer> {
  const stream: Readable = await store.read(workspace_id, sha256, range)
  return buffer(stream)
}

export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
