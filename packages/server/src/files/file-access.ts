import { includes, type AccessLevel } from '@wbs/contract/scopes'
import type { Refuse } from '../call/problem.ts'
import type { Reader } from '../database/statement.ts'
import { viewerOf, type CallerInWorkspace, type CallerOfChange } from '../rooms/room-access.ts'
import { lockFile } from './file-lock-store.ts'
import { fileById, type FileRow, type LockedFile, type OpenedFile } from './file-store.ts'

const noSuchFile = (refuse: Refuse<'not_found'>) =>
  refuse.not_found('There is no such File, or you cannot see it.')

/** A File that the caller can see. Throws not_found. */
export async function requireFile(
  context: CallerInWorkspace & { refuse: Refuse<'not_found'> },
  reader: Reader,
  file_id: string,
): Promise<FileRow> {
  const file = await fileById(reader, viewerOf(context), file_id)
  if (!file) throw noSuchFile(context.refuse)
  return file
}

const lockVisibleFile = (context: CallerOfChange, file_id: string): Promise<LockedFile | undefined> =>
  lockFile(context.tx, viewerOf(context), file_id, context.standing.seal)

/** Locks a File for a change. Throws not_found if the caller cannot see it, forbidden if their level is too low. */
export async function openFile<Level extends AccessLevel>(
  context: CallerOfChange & { refuse: Refuse<'not_found' | 'forbidden'> },
  file_id: string,
  needed: Level,
): Promise<OpenedFile<Level>> {
  const file = await lockVisibleFile(context, file_id)
  if (!file) throw noSuchFile(context.refuse)
  return requireFileLevel(file, needed, context.refuse)
}

/** A locked File, opened for a change. Throws forbidden if the caller's level on it is too low. */
export function requireFileLevel<Level extends AccessLevel>(
  file: LockedFile,
  needed: Level,
  refuse: Refuse<'forbidden'>,
): OpenedFile<Level> {
  if (!includes(file.access_level, needed))
    throw refuse.forbidden(`This requires the level ${needed} on the File; you have ${file.access_level}.`)
  return file as OpenedFile<Level>
}

const mostVersions = 1000

/** Throws limit_reached if the File has as many versions as it can have. */
export function requireFewVersions(
  { next_version_number }: Pick<LockedFile, 'next_version_number'>,
  refuse: Refuse<'limit_reached'>,
): void {
  if (next_version_number > mostVersions)
    throw refuse.limit_reached(`A File can have at most ${mostVersions} versions.`)
}

/** Throws state_conflict if the File is archived. */
export function requireActiveFile(file: Pick<FileRow, 'lifecycle'>, refuse: Refuse<'state_conflict'>): void {
  if (file.lifecycle === 'archived')
    throw refuse.state_conflict('The File is archived. Restore it first.', { current_status: 'archived' })
}

/** Checks before a replay that the caller can still see the File of the path. Throws not_found. */
async function checkFileVisible(
  { file_id }: { file_id: string },
  context: CallerOfChange & { refuse: Refuse<'not_found'> },
): Promise<void> {
  await requireFile(context, context.tx, file_id)
}

/** What runs before a handler that begins by opening the File of its path. */
export const beforeFileChange = {
  visible: checkFileVisible,
  prefetch: ({ file_id }: { file_id: string }, context: CallerOfChange) => lockVisibleFile(context, file_id),
}
