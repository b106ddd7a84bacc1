import type { Client, RoomFile } from '@wbs/sdk'
import { isReady, type RoomIndex } from './room-index.ts'

/** What is done with a file. */
export type Decision =
  | { does: 'nothing' }
  | { does: 'create' }
  | { does: 'add_version'; file_id: string }
  /** Continues an upload, or waits for one that is complete. */
  | { does: 'continue'; upload_id: string }
  | { does: 'fail'; reason: string }

/** Errors that the same content would meet again. */
const lasting: readonly string[] = ['type_mismatch', 'unreadable', 'malware_detected']

/** Looks at what the Room has at the place of a file, and decides what is done with the file. Throws ProblemError. */
export async function decide(
  client: Client,
  index: RoomIndex,
  file: { index_path: string; sha256: string },
  signal: AbortSignal,
): Promise<Decision> {
  const present = index.at(file.index_path)
  const [first] = present
  if (!first) return { does: 'create' }
  if (present.some(({ file: { current_version } }) => isReady(current_version, file.sha256)))
    return { does: 'nothing' }
  return decideOnVersion(client, index, first, file.sha256, signal)
}

/** The current version has other content, or none yet. A newer one may be on its way. */
async function decideOnVersion(
  client: Client,
  index: RoomIndex,
  roomFile: RoomFile,
  sha256: string,
  signal: AbortSignal,
): Promise<Decision> {
  const { file_id } = roomFile.file
  const { data } = await client.listFileVersions({ file_id, limit: 1 }, { signal })
  const [newest] = data
  if (newest?.sha256 === sha256) {
    const { file_version_id, processing_status, processing_error } = newest
    if (processing_status === 'ready') return { does: 'nothing' }
    if (processing_status === 'failed' && lasting.includes(processing_error ?? ''))
      return { does: 'fail', reason: `the service did not accept it before: ${processing_error}` }
    const upload_id =
      index.openUploads.get(file_version_id) ??
      (processing_status === 'processing' ? await uploadOf(client, file_id, file_version_id, signal) : null)
    if (upload_id) return { does: 'continue', upload_id }
    if (processing_status === 'processing') return { does: 'nothing' } // somebody else uploaded it
  }
  if (roomFile.access_level === 'view')
    return { does: 'fail', reason: 'the Room has another version, and you cannot edit the File' }
  return { does: 'add_version', file_id }
}

async function uploadOf(
  client: Client,
  file_id: string,
  file_version_id: string,
  signal: AbortSignal,
): Promise<string | null> {
  for await (const upload of client.listUploads.each({ file_id }, { signal }))
    if (upload.file_version_id === file_version_id) return upload.upload_id
  return null
}
