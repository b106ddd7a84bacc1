import type { CreateFileUploadAnswer, CreateFileUploadInput, GetRoomFileAnswer } from '../generated/types.ts'

/**
 * What can be uploaded. A string is the path of a file, in Node.js. A stream can be read only once, so its upload cannot
 * announce the SHA-256; give `size_bytes` with it, unless it has at most 8 MiB.
 */
export type UploadSource = string | Blob | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

export type FileOf = CreateFileUploadAnswer['file']
export type VersionOf = CreateFileUploadAnswer['new_version']
export type UploadOf = CreateFileUploadAnswer['upload']
export type RoomFileOf = GetRoomFileAnswer['room_file']

/**
 * How far an upload is. `sent_bytes` counts what the service has received and, in Node.js and browsers, what the network has
 * taken of the parts that are on their way. It never decreases, not even when a part is sent again, and ends at
 * `total_bytes`. On other platforms, and with a `fetch` of your own, it counts whole parts.
 */
export interface UploadProgress {
  phase: 'hashing' | 'sending' | 'completing' | 'processing'
  sent_bytes: number
  total_bytes: number
  /** Known from the phase `sending` on. Store it to continue the upload with `resume`. */
  upload_id?: string
}

/** What describes a new File. */
interface NewFileOptions {
  /** The name of the File. By default it is that of the file or `File` that is uploaded. */
  name?: string
  /** The Room to add the File to. */
  room_id?: string
  /** The place in the index of the Room. By default it is the name of the File. */
  index_path?: string
  business_id?: string
  description?: string | null
  classification?: CreateFileUploadInput['classification']
  tags?: readonly string[]
}

/** The options of `uploadFile`. */
export interface UploadOptions extends NewFileOptions {
  /** Adds a new version to this File instead of creating a File. Requires `expected_revision`. */
  file_id?: string
  /** The revision of the File that you read, with `file_id`. */
  expected_revision?: number
  /** The media type. By default it follows from the type of the `Blob` or from the extension of the name. */
  content_type?: string
  /** The size of a stream. */
  size_bytes?: number
  /** The SHA-256 of the content in lower-case hex, if you know it. By default it is computed. */
  sha256?: string
  /**
   * Continues an upload, and sends only the parts that are missing: the upload with this ID or, with `auto`, an open
   * upload of yours of the same content. `auto` looks in the Room `room_id` for a File with the same name and place, or
   * among the versions of `file_id`, and begins a new upload if there is none.
   */
  resume?: 'auto' | (string & {})
  /**
   * Makes the call repeatable after a crash of your program: a call with the same key, source and options continues the
   * upload of the first one, and creates no second File. At most 190 characters.
   */
  idempotency_key?: string
  /** How many parts are sent at the same time. Default: 4. Each of them is in memory while it is sent. */
  concurrency?: number
  /** Whether to wait until the version is ready or failed. Default: true. */
  wait?: boolean
  /** Called often, up to once for each 64 KiB. What it throws is ignored. */
  onProgress?: (progress: UploadProgress) => void
  /** Ends the call at once. The upload stays open. */
  signal?: AbortSignal
  /** The Workspace, if it is not that of the client. */
  workspace_id?: string
}

/** The uploaded File. `room_file` is its place in the Room `room_id`. */
export interface UploadedFile {
  file: FileOf
  version: VersionOf
  room_file?: RoomFileOf
}
