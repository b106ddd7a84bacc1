import type { Methods } from '../generated/types.ts'
import type { CallOptions, ClientSettings } from '../settings.ts'
import type { Content, Stream } from './source/content.ts'
import type { UploadOf, UploadOptions } from './options.ts'

/** What an upload needs of a client. */
export interface Uploader {
  settings: ClientSettings
  methods: Methods
}

/** One upload: what is uploaded, and how. */
export interface Task extends Uploader {
  source: Content | Stream
  name: string
  content_type: string
  /** The SHA-256 of the content; null for a stream that was not read yet. */
  sha256: string | null
  options: UploadOptions
}

/** An upload that was begun or continued. */
export interface Begun {
  upload: UploadOf
  room_file_id: string | null
}

/** The options of a call of the upload. `step` makes an Idempotency-Key of its own for each change. */
export function callOptions({ options }: Pick<Task, 'options'>, step?: 'create' | 'complete'): CallOptions {
  const { signal, workspace_id, idempotency_key } = options
  return {
    ...(signal && { signal }),
    ...(workspace_id !== undefined && { workspace_id }),
    ...(step && idempotency_key !== undefined && { idempotency_key: `${idempotency_key}.${step}` }),
  }
}
