import type { Refuse } from '../../call/problem.ts'
import type { Reader } from '../../database/statement.ts'
import { viewerOf, type CallerInWorkspace, type CallerOfChange } from '../../rooms/room-access.ts'
import { openFile } from '../file-access.ts'
import type { OpenedFile } from '../file-store.ts'
import { uploadById, type UploadRow } from './upload-store.ts'

const noSuchUpload = (refuse: Refuse<'not_found'>) =>
  refuse.not_found('There is no such upload, or you may not edit its File.')

/** An upload of a File that the caller may edit. Throws not_found. */
export async function requireUpload(
  context: CallerInWorkspace & { refuse: Refuse<'not_found'> },
  reader: Reader,
  upload_id: string,
): Promise<UploadRow> {
  const upload = await uploadById(reader, viewerOf(context), upload_id)
  if (!upload) throw noSuchUpload(context.refuse)
  return upload
}

/** An upload that was opened for a change, with its File, which is locked. */
export interface OpenedUpload {
  upload: UploadRow
  file: OpenedFile<'edit'>
}

/**
 * Locks the File of an upload for a change of the upload. `lockMore` takes further locks in the same round trip, and what it finds is returned. Throws
 * not_found, forbidden.
 */
export async function openUpload<More = undefined>(
  context: CallerOfChange & { refuse: Refuse<'not_found' | 'forbidden'> },
  upload_id: string,
  lockMore: () => Promise<More | undefined> = () => Promise.resolve(undefined),
): Promise<[OpenedUpload, More | undefined]> {
  const { tx, refuse } = context
  const seen = await requireUpload(context, tx, upload_id)
  const [file, upload, more] = await Promise.all([
    openFile(context, seen.file_id, 'edit'),
    uploadById(tx, viewerOf(context), upload_id),
    lockMore(),
  ])
  if (!upload) throw noSuchUpload(refuse)
  return [{ upload, file }, more]
}

/** Throws state_conflict unless the upload is open. */
export function requireOpen(
  { status }: { status: UploadRow['status'] },
  refuse: Refuse<'state_conflict'>,
): void {
  if (status === 'open') return
  throw refuse.state_conflict(`The upload is ${status}, so it takes no more content.`, {
    current_status: status,
  })
}

/** What runs before a handler that begins by opening the upload of its path. */
export const beforeUploadChange = {
  async visible(
    { upload_id }: { upload_id: string },
    context: CallerOfChange & { refuse: Refuse<'not_found'> },
  ): Promise<void> {
    await requireUpload(context, context.tx, upload_id)
  },
  prefetch: ({ upload_id }: { upload_id: string }, context: CallerOfChange) =>
    uploadById(context.tx, viewerOf(context), upload_id),
}
