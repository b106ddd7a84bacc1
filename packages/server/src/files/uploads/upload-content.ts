import { uploadContent } from '@wbs/contract/files/uploads'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { implement, type MutationContext } from '../../call/implement.ts'
import { viewerOf } from '../../rooms/room-access.ts'
import { askStore } from '../ask-store.ts'
import { requireActiveFile } from '../file-access.ts'
import { fileById } from '../file-store.ts'
import { sizeOfPart } from './upload.ts'
import { beforeUploadChange, openUpload, requireOpen } from './upload-access.ts'
import { uploadById, type UploadRow } from './upload-store.ts'
import { lookAtUpload, presentUpload, type CurrentUpload, type UploadParts } from './upload-view.ts'

/**
 * The upload as it is with the content. Null if nothing was sent to the store: the caller cannot see the upload, it is not open, or the
 * content is not as it must be.
 */
type Prepared = CurrentUpload | null
type Context = MutationContext<typeof uploadContent, Prepared>

/** The parts are stored before the transaction, as parts that are sent to their addresses are. */
export const handleUploadContent = (parts: UploadParts) =>
  implement<typeof uploadContent, Prepared>(
    uploadContent,
    async function uploadContent({ upload_id, content }, context) {
      const { refuse, prepared } = context
      const decoded = decode(content)
      if ('code' in decoded) throw wrong(decoded.code, decoded.detail, refuse)
      const [{ upload, file }] = await openUpload(context, upload_id)
      requireActiveFile(file, refuse)
      requireOpen(upload, refuse)
      if (prepared) requireOpen(prepared, refuse)
      requireSize(decoded.bytes, upload, refuse)
      if (!prepared)
        throw refuse.unavailable('The upload or your access to it has just changed. Send the request again.')
      return {
        result: { upload: presentUpload(prepared) },
        resource: { type: 'file', id: upload.file_id },
        events: [],
      }
    },
    {
      ...beforeUploadChange,
      async prepare({ upload_id, content }, context) {
        const { read, now, waitWithoutSlot } = context
        const upload = await uploadById(read, viewerOf(context), upload_id)
        const decoded = decode(content)
        if (upload?.status !== 'open' || 'code' in decoded) return null
        if (decoded.bytes.length !== upload.size_bytes) return null
        const file = await fileById(read, viewerOf(context), upload.file_id)
        if (file?.lifecycle !== 'active') return null
        return askStore(storeContent(parts, upload, decoded.bytes, now), waitWithoutSlot)
      },
    },
  )

/** The upload as it is afterwards. Nothing is stored if it has expired. */
async function storeContent(
  parts: UploadParts,
  upload: UploadRow,
  bytes: Buffer,
  now: Date,
): Promise<CurrentUpload> {
  const before = await lookAtUpload(parts, upload, now)
  if (before.status !== 'open') return before
  await writeParts(parts.blobs, upload, bytes)
  return lookAtUpload(parts, upload, now)
}

const mostBytes = 4 * 1024 * 1024

/** The bytes of a text, or why it is not base64 of at most 4 MiB. */
function decode(content: string): { bytes: Buffer } | { code: 'format' | 'too_long'; detail: string } {
  const bytes = Buffer.from(content, 'base64')
  // Node decodes what it can and ignores the rest.
  if (bytes.toString('base64') !== content)
    return { code: 'format', detail: 'content must be base64 with its padding.' }
  if (bytes.length > mostBytes)
    return { code: 'too_long', detail: 'content can have at most 4 MiB. Send larger content in parts.' }
  return { bytes }
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
