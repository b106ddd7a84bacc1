import type { UploadOptions } from './options.ts'

const onlyForNewFiles = [
  'room_id',
  'index_path',
  'business_id',
  'description',
  'classification',
  'tags',
] as const

/** Throws TypeError for options that contradict each other. */
export function checkOptions(options: UploadOptions): void {
  const { file_id, expected_revision, room_id, resume, concurrency } = options
  if (file_id !== undefined) {
    const wrong = onlyForNewFiles.find(name => options[name] !== undefined)
    if (wrong) throw new TypeError(`${wrong} is for a new File; file_id adds a version to an existing one.`)
    if (expected_revision === undefined && resume === undefined)
      throw new TypeError('A new version requires expected_revision: the revision of the File that you read.')
  }
  if (resume === 'auto' && room_id === undefined && file_id === undefined)
    throw new TypeError(
      "resume: 'auto' requires room_id or file_id. Pass the ID of the upload, or use idempotency_key.",
    )
  if (concurrency !== undefined && (!Number.isInteger(concurrency) || concurrency < 1))
    throw new TypeError('concurrency must be a whole number from 1 on.')
}
