import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Client } from '@wbs/sdk'
import { eventually } from '../harness/eventually.ts'

type NewUpload = Parameters<Client['createFileUpload']>[0]

/** Uploads small content at once, by the operation for it, and waits until it is ready. */
export async function uploadedFile(client: Client, input: Partial<NewUpload>, content: Buffer) {
  const sha256 = createHash('sha256').update(content).digest('hex')
  const { file, upload } = await client.createFileUpload({
    name: 'content.bin',
    content_type: 'application/octet-stream',
    size_bytes: content.length,
    sha256,
    ...input,
  })
  const { upload_id } = upload
  await client.uploadContent({ upload_id, content: content.toString('base64') })
  await client.completeUpload({ upload_id })
  return eventually(async () => {
    const { file: now } = await client.getFile({ file_id: file.file_id })
    const { processing_status } = now.current_version
    assert.ok(['processing', 'ready'].includes(processing_status), JSON.stringify(now.current_version))
    return processing_status === 'ready' ? now : undefined
  })
}
