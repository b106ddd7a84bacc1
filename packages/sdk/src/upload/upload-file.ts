import type { Client } from '../client.ts'
import { tell } from '../hooks.ts'
import { settingsOf } from '../settings-of.ts'
import { beginUpload } from './begin.ts'
import { checkOptions } from './check-options.ts'
import { createEmptyFile } from './empty-content.ts'
import { sha256Of } from './hash/content-hash.ts'
import type { UploadedFile, UploadOptions, UploadProgress, UploadSource } from './options.ts'
import { sendContent } from './send-content.ts'
import { settle } from './settle.ts'
import type { Content, Stream } from './source/content.ts'
import { mediaTypeOf } from './source/media-types.ts'
import { openSource } from './source/open-source.ts'
import { callOptions, type Begun, type Task, type Uploader } from './uploader.ts'

/** The service reads the whole content before it answers `complete`: so many bytes a second at least. */
const leastSealRate = 20 * 1024 * 1024

/**
 * Uploads a File or, with `file_id`, a new version of one: in parts that are sent in parallel and again after a failure.
 * Throws UploadFailed if the service does not accept the content, and what methods throw. If it throws anything other
 * than UploadFailed, the upload stays open, and `resume` continues it.
 */
export async function uploadFile(
  client: Client,
  given: UploadSource,
  options: UploadOptions = {},
): Promise<UploadedFile> {
  const uploader = { settings: settingsOf(client), methods: client }
  checkOptions(options)
  options.signal?.throwIfAborted()
  const source = await openSource(given, options.size_bytes)
  try {
    const total_bytes = source.size_bytes
    const report = (phase: UploadProgress['phase'], sent_bytes: number, upload_id?: string) =>
      tell(options.onProgress, {
        phase,
        sent_bytes,
        total_bytes,
        ...(upload_id !== undefined && { upload_id }),
      })
    const task = await prepare(uploader, source, options, report)
    if (total_bytes === 0) return await createEmptyFile(task)
    const begun = await beginUpload(task)
    const { upload_id } = begun.upload
    const sha256 =
      begun.upload.status === 'open'
        ? await sendAndComplete(task, begun, (phase, sent) => report(phase, sent, upload_id))
        : task.sha256
    report('processing', total_bytes, upload_id)
    return await settle(task, begun, sha256)
  } finally {
    await source.close()
  }
}

async function prepare(
  uploader: Uploader,
  source: Content | Stream,
  options: UploadOptions,
  report: (phase: 'hashing', sent_bytes: number) => void,
): Promise<Task> {
  const known: Partial<Content> = source.kind === 'content' ? source : {}
  const name = options.name ?? known.name
  // A new version keeps the name of its File, so a name is needed for messages and for the type alone.
  if (name === undefined && options.file_id === undefined)
    throw new TypeError('A File needs a name: pass the option name.')
  const content_type = options.content_type ?? (known.content_type || mediaTypeOf(name ?? ''))
  const { size_bytes } = options
  if (source.kind === 'content' && size_bytes !== undefined && size_bytes !== source.size_bytes)
    throw new TypeError(`The source has ${source.size_bytes} bytes, and size_bytes says ${size_bytes}.`)
  return {
    ...uploader,
    source,
    name: name ?? 'the new version',
    content_type,
    sha256: await hashOf(source, options, report),
    options,
  }
}

async function hashOf(
  source: Content | Stream,
  { sha256, signal }: UploadOptions,
  report: (phase: 'hashing', sent_bytes: number) => void,
): Promise<string | null> {
  if (sha256 !== undefined) return sha256
  if (source.kind === 'stream') return null
  report('hashing', 0)
  return sha256Of(source, signal)
}

/** Sends what is missing and completes the upload. Gives the SHA-256 of what was sent. */
async function sendAndComplete(
  task: Task,
  { upload }: Begun,
  report: (phase: 'sending' | 'completing', sent_bytes: number) => void,
): Promise<string | null> {
  const sha256 = await sendContent(task, upload, sent => report('sending', sent))
  report('completing', upload.size_bytes)
  const timeout = (task.settings.timeout ?? 30_000) + (upload.size_bytes / leastSealRate) * 1000
  await task.methods.completeUpload(
    { upload_id: upload.upload_id, sha256 },
    { ...callOptions(task, 'complete'), timeout },
  )
  return sha256
}
