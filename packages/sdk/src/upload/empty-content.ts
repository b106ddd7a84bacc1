import type { UploadedFile } from './options.ts'
import { callOptions, type Task } from './uploader.ts'

const formats: Readonly<Record<string, 'markdown' | 'csv' | 'tsv'>> = {
  'text/markdown': 'markdown',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
}

/** Creates an empty text File: an upload has at least one byte. Throws TypeError for another type and for a new version. */
export async function createEmptyFile(task: Task): Promise<UploadedFile> {
  const { methods, name, content_type, options } = task
  const { room_id, index_path, business_id, description, classification, tags, file_id } = options
  if (file_id !== undefined) throw new TypeError(`${name} is empty, and a new version must have content.`)
  if (!content_type.startsWith('text/'))
    throw new TypeError(`${name} is empty. Only text can be empty; ${content_type} must have content.`)
  const format = formats[content_type] ?? 'plain_text'
  const about = { room_id, index_path, business_id, description, classification, tags }
  const { file, new_version, room_file } = await methods.createTextFile(
    { name, content: '', format, ...about },
    callOptions(task, 'create'),
  )
  return { file, version: new_version, ...(room_file && { room_file }) }
}
