import { uploadFile, type Client, type UploadProgress } from '@wbs/sdk'
import { decide, type Decision } from './decide.ts'
import type { LocalFile } from './find-files.ts'
import { hashFile } from './hash-file.ts'
import { nameOf } from './place.ts'
import type { RoomIndex } from './room-index.ts'

/** What became of a file. */
export type Result = 'new' | 'new_version' | 'continued' | 'unchanged'

/** Where and how files are uploaded. */
export interface Target {
  client: Client
  room_id: string
  index: RoomIndex
  dryRun: boolean
  /** Parts of one file that are sent at the same time. */
  parts: number
  signal: AbortSignal
}

/** Uploads a file, unless the Room has it. Throws what uploadFile throws, and Error if it cannot be uploaded. */
export async function uploadOne(
  target: Target,
  file: LocalFile,
  onProgress: (progress: UploadProgress) => void,
): Promise<Result> {
  const { client, index, signal } = target
  const sha256 = await hashFile(file.path, signal)
  const decision = await decide(client, index, { ...file, sha256 }, signal)
  if (decision.does === 'nothing') return 'unchanged'
  if (decision.does === 'fail') throw new Error(decision.reason)
  if (!target.dryRun) await carryOut(target, file, sha256, decision, onProgress)
  return resultOf[decision.does]
}

const resultOf = { create: 'new', add_version: 'new_version', continue: 'continued' } as const

async function carryOut(
  { client, room_id, parts, signal }: Target,
  { path, index_path }: LocalFile,
  sha256: string,
  decision: Exclude<Decision, { does: 'nothing' | 'fail' }>,
  onProgress: (progress: UploadProgress) => void,
): Promise<void> {
  const options = { sha256, concurrency: parts, onProgress, signal }
  if (decision.does === 'create')
    await uploadFile(client, path, { ...options, name: nameOf(index_path), room_id, index_path })
  else if (decision.does === 'continue')
    await uploadFile(client, path, { ...options, resume: decision.upload_id })
  else {
    const { file_id } = decision
    const { file } = await client.getFile({ file_id }, { signal })
    await uploadFile(client, path, { ...options, file_id, expected_revision: file.revision })
  }
}
