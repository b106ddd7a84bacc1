import type { Refuse } from '../../call/problem.ts'
import type { Reader } from '../../database/statement.ts'
import { viewerOf, type CallerInWorkspace } from '../../rooms/room-access.ts'
import { fileToDownload, type FileRow } from '../file-store.ts'
import { versionToRead, type ReadableVersion } from './version-store.ts'

/** A version whose content may be read, and its File. */
export interface ReadableFile {
  file: FileRow & { may_download: boolean }
  version: ReadableVersion
}

/**
 * A ready version of a File that the caller can see: the named one, or the current one. Throws not_found, and
 * state_conflict if it is not ready.
 */
export async function requireReadable(
  context: CallerInWorkspace & { refuse: Refuse<'not_found' | 'state_conflict'> },
  reader: Reader,
  named: { file_id: string; file_version_id?: string },
): Promise<ReadableFile> {
  const { standing, refuse } = context
  const [file, version] = await Promise.all([
    fileToDownload(reader, viewerOf(context), named.file_id),
    versionToRead(reader, standing.workspace_id, named),
  ])
  if (!file) throw refuse.not_found('There is no such File, or you cannot see it.')
  if (!version) throw refuse.not_found('The File has no such version.')
  const { processing_status } = version
  if (processing_status !== 'ready')
    throw refuse.state_conflict('The content of this version cannot be read, because it is not ready.', {
      current_status: processing_status,
    })
  return { file, version }
}

/** Throws forbidden if the caller may read the File but not download it. */
export function requireMayDownload(
  { may_download }: { may_download: boolean },
  refuse: Refuse<'forbidden'>,
): void {
  if (!may_download)
    throw refuse.forbidden('Your invitation to the Room does not allow you to download its Files.')
}
