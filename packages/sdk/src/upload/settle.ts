import { sleep } from '../pauses.ts'
import type { UploadedFile, VersionOf } from './options.ts'
import { UploadFailed } from './upload-failed.ts'
import { callOptions, type Begun, type Task } from './uploader.ts'

const firstPause = 100 // milliseconds
const longestPause = 5_000

/**
 * The File and the version as they are now or, if `wait` is set, when the version has been processed. Throws UploadFailed
 * if the version failed, or has other content than was sent.
 */
export async function settle(task: Task, begun: Begun, sha256: string | null): Promise<UploadedFile> {
  const version = await settledVersion(task, begun)
  const { file_id } = begun.upload
  const isOther = sha256 !== null && version.sha256 !== null && version.sha256 !== sha256
  if (version.processing_status === 'failed' || isOther) {
    const reason = isOther ? 'checksum_mismatch' : (version.processing_error ?? 'internal_error')
    throw new UploadFailed(task.name, file_id, version, reason)
  }
  const { methods } = task
  const { file } = await methods.getFile({ file_id }, callOptions(task))
  if (begun.room_file_id === null) return { file, version }
  const { room_file_id } = begun
  const { room_file } = await methods.getRoomFile({ room_file_id }, callOptions(task))
  return { file, version, room_file }
}

async function settledVersion(task: Task, { upload }: Begun): Promise<VersionOf> {
  const { methods, options } = task
  const { file_id, file_version_id } = upload
  for (let pause = firstPause; ; pause = Math.min(pause * 1.6, longestPause)) {
    const { data } = await methods.getFileVersion({ file_id, file_version_id }, callOptions(task))
    const isSettled = data.processing_status === 'ready' || data.processing_status === 'failed'
    if (isSettled || options.wait === false) return data
    await sleep(pause * (0.75 + Math.random() / 2), options.signal)
  }
}
