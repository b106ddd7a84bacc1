import { newUnorderedId, type Id } from '@wbs/contract/ids'
import { beyondStorage, Problem, type Refuse } from '../../call/problem.ts'
import type { Reader } from '../../database/statement.ts'
import type { JobDraft } from '../../jobs/job-kinds.ts'
import type { CallerInWorkspace, CallerOfChange } from '../../rooms/room-access.ts'
import { askStore, type WaitWithoutSlot } from '../ask-store.ts'
import type { FileRow, VersionRow } from '../file-store.ts'
import { limitBeyond, requireStorage, type StorageLimits } from '../usage/storage-limit-store.ts'
import { expiryOf, mostOpenUploads, partsOf } from './upload.ts'
import { insertUpload } from './upload-change-store.ts'
import { countOpenUploads, type UploadRow } from './upload-store.ts'
import type { UploadParts } from './upload-view.ts'

/** What begins uploads. */
export interface BeginParts extends UploadParts {
  limits: StorageLimits
}

/** Null if nothing was begun because the change is refused; a Problem if the upload would be beyond a limit. */
export type Prepared = PreparedUpload | Problem<'limit_reached'> | null

/** An upload that the store has begun, and no row names yet. */
interface PreparedUpload {
  upload_id: Id<'upl'>
  reference: string
}

/**
 * Begins an upload in the store, before the transaction that names it; null if the caller has too many. If the change is not
 * made, the sweeper removes it: it holds nothing.
 */
export async function prepareUpload(
  { blobs, limits }: BeginParts,
  context: CallerInWorkspace & { read: Reader; now: Date; waitWithoutSlot: WaitWithoutSlot },
  size_bytes: number,
): Promise<Prepared> {
  const { read, standing, now, waitWithoutSlot } = context
  if ((await countOwnUploads(read, context)) >= mostOpenUploads) return null
  const beyond = await limitBeyond(read, context, limits, size_bytes)
  if (beyond) return beyondStorage(beyond)
  const upload_id = newUnorderedId('upl', now.getTime())
  const beginning = blobs.uploads.begin({ workspace_id: standing.workspace_id, upload_id })
  return { upload_id, reference: await askStore(beginning, waitWithoutSlot) }
}

/** Names the upload of a version. Throws limit_reached beyond a limit, unavailable if it was not begun. */
export function nameUpload(
  { settings, limits }: BeginParts,
  file: FileRow,
  version: VersionRow,
  context: NamingContext,
): UploadRow {
  const { tx, caller, now, prepared, refuse } = context
  if (prepared instanceof Problem) throw prepared
  if (!prepared) throw refuse.unavailable('What you may do there has just changed. Send the request again.')
  const { workspace_id, file_id } = file
  const cut = partsOf(version.size_bytes, settings)
  const of = { workspace_id, file_id, version, ...prepared, created_by: caller.user_id }
  const upload = insertUpload(tx, { ...of, ...cut }, now)
  requireStorage(tx, context, limits, 'upload')
  return upload
}

interface NamingContext extends CallerOfChange {
  now: Date
  prepared: Prepared
  refuse: Refuse<'unavailable'>
}

/** How many open uploads the caller has in the Workspace. */
export const countOwnUploads = (reader: Reader, { caller, standing }: CallerInWorkspace): Promise<number> =>
  countOpenUploads(reader, { workspace_id: standing.workspace_id, user_id: caller.user_id })

/** Throws limit_reached if a person has too many open uploads. */
export function requireFewUploads(open: number, refuse: Refuse<'limit_reached'>): void {
  if (open >= mostOpenUploads)
    throw refuse.limit_reached(
      `You can have at most ${mostOpenUploads} open uploads in a Workspace. Complete or abort some of them.`,
    )
}

/** The job that records the expiry of an open upload, unless more parts arrive. */
export function expiryJob(
  { workspace_id, upload_id }: { workspace_id: string; upload_id: string },
  due: Date,
): JobDraft {
  return { kind: 'expire_upload', data: { workspace_id, upload_id }, due: due.toISOString() }
}

export const firstExpiryJob = (upload: UploadRow, { settings }: UploadParts): JobDraft =>
  expiryJob(upload, expiryOf(upload, [], settings))
