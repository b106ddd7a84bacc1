import { uploadContent } from '@wbs/contract/files/uploads'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { implement, type MutationContext } from '../../call/implement.ts'
import { withTimeout } from '../../database/connections/with-timeout.ts'
import { requireActiveFile } from '../file-access.ts'
import { sizeOfPart } from './upload.ts'
import { beforeUploadChange, openUpload, requireOpen } from './upload-access.ts'
import type { UploadRow } from './upload-store.ts'
import { lookAtUpload, presentUpload, type UploadParts } from './upload-view.ts'

type Context = MutationContext<typeof uploadContent>

/** The store is asked inside the transaction, which holds locks, so it must answer soon. */
const timeoutMilliseconds = 20_000

export const handleUploadContent = (parts: UploadParts) =>
  implement(
    uploadContent,
    async function uploadContent({ upload_id, content }, context) {
      const { now, refuse } = context
      const bytes = requireBytes(content, refuse)
      const { upload, file } = await openUpload(context, upload_id)
      requireActiveFile(file, refuse)
      requireOpen(await lookAtUpload(parts, upload, now), refuse)
      requireSize(bytes, upload, refuse)
      await withTimeout(timeoutMilliseconds, writeParts(parts.blobs, upload, bytes), () =>
        refuse.unavailable('The store of content did not answer in time. Send the request again.'),
      )
      return {
        result: { upload: presentUpload(await lookAtUpload(parts, upload, now)) },
        resource: { type: 'file', id: upload.file_id },
        events: [],
      }
    },
    beforeUploadChange,
  )

/** Throws validation_error unless the text is base64 of at most 4 MiB. */
function requireBytes(content: string, refuse: Context['refuse']): Buffer {
  const bytes = Buffer.from(content, 'base64')
  // Node decodes what it can and ignores the rest.
  if (bytes.toString('base64') !== content)
    throw wrong('format', 'content must be base64 with its padding.', refuse)
  if (bytes.length > 4 * 1024 * 1024)
    throw wrong('too_long', 'content can have at most 4 MiB. Send larger content in parts.', refuse)
  return bytes
}

/** Throws validation_error unless the content has the size of the upload. */
function requireSize(bytes: Buffer, { size_bytes }: UploadRow, refuse: Context['refuse']): void {
  if (bytes.length !== size_bytes)
    throw wrong('conflict', `content must have the size of the upload: ${size_bytes} bytes.`, refuse)
}

const wrong = (code: 'format' | 'too_long' | 'conflict', detail: string, refuse: Context['refuse']) =>
  refuse.validation_error(detail, { errors: [{ in: 'body', pointer: '/content', code, detail }] })

async function writeParts(blobs: BlobStore, upload: UploadRow, bytes: Buffer): Promise<void> {
  for (let part_number = 1; part_number <= upload.part_count; part_number++) {
    const start = (part_number - 1) * upload.part_size_bytes
    const size_bytes = sizeOfPart(upload, part_number)
    const part = bytes.subarray(start, start + size_bytes)
    await blobs.uploads.writePart(upload, { part_number, size_bytes }, inOneChunk(part))
  }
}

async function* inOneChunk(part: Uint8Array): AsyncGenerator<Uint8Array> {
  yield part
}
