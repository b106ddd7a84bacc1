import { findOpenUpload } from './find-open-upload.ts'
import type { RoomFileOf, UploadOf } from './options.ts'
import { callOptions, type Begun, type Task } from './uploader.ts'

/** Begins the upload, or finds the one to continue. Throws what methods throw, and Error for an upload of other content. */
export async function beginUpload(task: Task): Promise<Begun> {
  const { resume, file_id } = task.options
  if (resume === 'auto') return (await findOpenUpload(task)) ?? begin(task)
  if (resume !== undefined) return continueUpload(task, resume)
  return file_id === undefined ? begin(task) : beginVersion(task, file_id)
}

const begin = (task: Task) =>
  task.options.file_id === undefined ? beginFile(task) : beginVersion(task, task.options.file_id)

async function beginFile(task: Task): Promise<Begun> {
  const { methods, name, content_type, sha256, source, options } = task
  const { room_id, index_path, business_id, description, classification, tags } = options
  const answer = await methods.createFileUpload(
    {
      name,
      content_type,
      size_bytes: source.size_bytes,
      sha256: sha256 ?? undefined,
      room_id,
      index_path,
      business_id,
      description,
      classification,
      tags,
    },
    callOptions(task, 'create'),
  )
  return { upload: await current(task, answer), room_file_id: answer.room_file?.room_file_id ?? null }
}

async function beginVersion(task: Task, file_id: string): Promise<Begun> {
  const { methods, content_type, sha256, source, options } = task
  const { expected_revision } = options
  // What the extension does not tell is better taken from the version before.
  const isKnown = options.content_type !== undefined || content_type !== 'application/octet-stream'
  if (expected_revision === undefined)
    throw new TypeError(`There is no open upload to continue, and a new one requires expected_revision.`)
  const answer = await methods.addFileVersion(
    {
      file_id,
      expected_revision,
      size_bytes: source.size_bytes,
      sha256: sha256 ?? undefined,
      content_type: isKnown ? content_type : undefined,
    },
    callOptions(task, 'create'),
  )
  return { upload: await current(task, answer), room_file_id: null }
}

/** A replayed answer shows the upload as it began. */
async function current(
  task: Task,
  answer: { upload: UploadOf; idempotent_replay: boolean },
): Promise<UploadOf> {
  if (!answer.idempotent_replay) return answer.upload
  const { upload_id } = answer.upload
  return (await task.methods.getUpload({ upload_id }, callOptions(task))).upload
}

async function continueUpload(task: Task, upload_id: string): Promise<Begun> {
  const { methods, source, sha256, options } = task
  const { upload } = await methods.getUpload({ upload_id }, callOptions(task))
  if (upload.size_bytes !== source.size_bytes)
    throw new Error(
      `The upload ${upload_id} is of ${upload.size_bytes} bytes, and the source has ${source.size_bytes}.`,
    )
  const { file_id, file_version_id } = upload
  if (options.file_id !== undefined && options.file_id !== file_id)
    throw new Error(`The upload ${upload_id} is of another File than ${options.file_id}.`)
  const { data } = await methods.getFileVersion({ file_id, file_version_id }, callOptions(task))
  if (sha256 !== null && data.sha256 !== null && data.sha256 !== sha256)
    throw new Error(`The upload ${upload_id} is of other content than the source.`)
  const { room_id } = options
  const room_file = room_id === undefined ? null : await findRoomFile(task, room_id, file_id)
  return { upload, room_file_id: room_file?.room_file_id ?? null }
}

async function findRoomFile(task: Task, room_id: string, file_id: string): Promise<RoomFileOf | null> {
  for await (const room_file of task.methods.listRoomFiles.each({ room_id }, callOptions(task)))
    if (room_file.file.file_id === file_id) return room_file
  return null
}
