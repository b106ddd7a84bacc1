import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Client } from '../../packages/sdk/src/index.ts'
import { openHttpConnection, type HttpConnection } from '../http-connection.ts'
import type { LargeFile } from './large-file.ts'

const inParallel = 4
/** The most URLs of one request. */
const mostUrls = 100

/** Uploads a file as a client does: announces it, sends its parts four at a time, and completes it with its SHA-256. */
export async function uploadFile(client: Client, base_url: string, file: LargeFile) {
  const begun = performance.now()
  const { sha256, size_bytes } = file
  const announced = await client.createFileUpload({
    name: `${randomUUID()}.bin`,
    content_type: 'application/octet-stream',
    size_bytes,
    sha256,
  })
  const { upload_id, part_count, part_size_bytes } = announced.upload
  await sendParts(client, base_url, file, { upload_id, part_count, part_size_bytes })
  const sent = performance.now()
  const { new_version } = await client.completeUpload({ upload_id, sha256 })
  const completed = performance.now()
  if (new_version.processing_error !== null)
    throw new Error(`The upload failed: ${new_version.processing_error}.`)
  return {
    file_id: announced.file.file_id,
    file_version_id: new_version.file_version_id,
    seconds: (completed - begun) / 1000,
    steps: { parts_seconds: (sent - begun) / 1000, complete_seconds: (completed - sent) / 1000 },
  }
}

async function sendParts(
  client: Client,
  base_url: string,
  { path, size_bytes }: LargeFile,
  upload: { upload_id: string; part_count: number; part_size_bytes: number },
): Promise<void> {
  const { upload_id, part_count, part_size_bytes } = upload
  const numbers = Array.from({ length: part_count }, (_, at) => at + 1)
  const urls = new Map<number, string>()
  for (let at = 0; at < part_count; at += mostUrls) {
    const { parts } = await client.createPartUrls({
      upload_id,
      part_numbers: numbers.slice(at, at + mostUrls),
    })
    for (const { part_number, url } of parts) urls.set(part_number, url)
  }
  const file = await open(path)
  async function sendSome(connection: HttpConnection): Promise<void> {
    const bytes = Buffer.allocUnsafe(part_size_bytes)
    for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
      const start = (number - 1) * part_size_bytes
      const length = Math.min(part_size_bytes, size_bytes - start)
      await file.read(bytes, 0, length, start)
      const { pathname, search } = new URL(urls.get(number) ?? '')
      await connection.send('PUT', pathname + search, {}, bytes.subarray(0, length))
    }
    connection.close()
  }
  try {
    await Promise.all(
      Array.from({ length: inParallel }, async () => sendSome(await openHttpConnection(base_url))),
    )
  } finally {
    await file.close()
  }
}
