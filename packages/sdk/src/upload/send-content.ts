import { createSha256 } from './hash/create-sha256.ts'
import type { UploadOf } from './options.ts'
import { createPartUrls } from './parts/part-urls.ts'
import { putPart } from './parts/put-part.ts'
import { partsOfContent, partsOfStream } from './parts/read-parts.ts'
import { sendParts } from './parts/send-parts.ts'
import { callOptions, type Task } from './uploader.ts'

/** Sends the parts that the upload has not received. Gives the SHA-256 of the whole content. */
export async function sendContent(
  task: Task,
  upload: UploadOf,
  report: (sent_bytes: number) => void,
): Promise<string> {
  const { settings, methods, source, options } = task
  const { upload_id } = upload
  const received = new Set(upload.received_parts.map(part => part.part_number))
  const numbers = Array.from({ length: upload.part_count }, (_, at) => at + 1)
  const missing = numbers.filter(part_number => !received.has(part_number))
  const sent = new Map(upload.received_parts.map(part => [part.part_number, part.size_bytes]))
  let reported = 0
  const reportPart = (part_number: number, sent_bytes: number) => {
    sent.set(part_number, sent_bytes)
    // A part that is sent again begins anew, and what was reported stays.
    reported = Math.max(reported, sum(sent.values()))
    report(reported)
  }
  report((reported = sum(sent.values())))

  const urls = createPartUrls(
    part_numbers => methods.createPartUrls({ upload_id, part_numbers }, callOptions(task)),
    missing,
  )
  const isMissing = (part_number: number) => !received.has(part_number)
  const hash = await createSha256()
  const parts =
    source.kind === 'content'
      ? partsOfContent(source, upload, isMissing)
      : partsOfStream(source, upload, isMissing, hash)
  await sendParts(
    parts,
    Math.min(options.concurrency ?? 4, Math.max(1, missing.length)),
    async (part, signal) => {
      const { part_number, bytes } = part
      const onSent = (sent_bytes: number) => reportPart(part_number, sent_bytes)
      await putPart(settings, urls, part, signal, options.onProgress && onSent)
      onSent(bytes instanceof Blob ? bytes.size : bytes.length)
    },
    options.signal,
  )
  return task.sha256 ?? hash.hex()
}

const sum = (numbers: Iterable<number>) => Array.from(numbers).reduce((number, other) => number + other, 0)
