import type { UploadOf } from './options.ts'
import { callOptions, type Begun, type Task } from './uploader.ts'

/** An open upload of the same content for the same Room and place or the same File; null if there is none. */
export async function findOpenUpload(task: Task): Promise<Begun | null> {
  const { file_id } = task.options
  const places = file_id === undefined ? await pendingPlaces(task) : new Map([[file_id, null]])
  if (places.size === 0) return null
  const open = task.methods.listUploads.each({ status: 'open', file_id }, callOptions(task))
  for await (const upload of open) {
    const room_file_id = places.get(upload.file_id)
    if (room_file_id !== undefined && (await isOfSameContent(task, upload))) return { upload, room_file_id }
  }
  return null
}

/** The Files of the Room that were never ready and have the same name and place, with their RoomFiles. */
async function pendingPlaces(task: Task): Promise<Map<string, string | null>> {
  const { methods, name, options } = task
  const { room_id = '', index_path = name } = options
  const places = new Map<string, string>()
  const pending = methods.listRoomFiles.each({ room_id, status: 'pending' }, callOptions(task))
  for await (const { room_file_id, file, index_path: place } of pending)
    if (place === index_path.trim() && file.name === name.trim()) places.set(file.file_id, room_file_id)
  return places
}

async function isOfSameContent(task: Task, upload: UploadOf): Promise<boolean> {
  const { methods, source, sha256 } = task
  if (upload.size_bytes !== source.size_bytes) return false
  const { file_id, file_version_id } = upload
  const { data } = await methods.getFileVersion({ file_id, file_version_id }, callOptions(task))
  // What was begun as a stream announced no SHA-256, and a stream does not know its own yet.
  return data.sha256 === sha256
}
