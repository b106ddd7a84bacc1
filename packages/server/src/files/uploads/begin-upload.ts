import { newUnorderedId } from '@wbs/contract/ids'
import type { BlobStore } from '../../blobs/blob-store.ts'
import type { Refuse } from '../../call/problem.ts'
import { withTimeout } from '../../database/connections/with-timeout.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { JobDraft } from '../../jobs/job-kinds.ts'
import type { CallerOfChange } from '../../rooms/room-access.ts'
import type { FileRow, VersionRow } from '../file-store.ts'
import { expiryOf, mostOpenUploads, partsOf } from './upload.ts'
import { insertUpload } from './upload-change-store.ts'
import { countOpenUploads, type UploadRow } from './upload-store.ts'
import type { UploadParts } from './upload-view.ts'

/** The store is asked inside the transaction, which holds locks, so it must answer soon. */
const timeoutMilliseconds = 10_000

/**
 * Begins the upload of a version. If the change is rolled back, the store keeps an upload that nothing names, until the
 * sweeper removes it. Throws unavailable.
 */
export async function beginUpload(
  { blobs, settings }: UploadParts,
  file: FileRow,
  version: VersionRow,
  {
    tx,
    caller,
    now,
    refuse,
  }: { tx: Transaction; caller: { user_id: string }; now: Date; refuse: Refuse<'unavailable'> },
): Promise<UploadRow> {
  const { workspace_id, file_id } = file
  const upload_id = newUnorderedId('upl', now.getTime())
  const reference = await beginInStore(blobs, { workspace_id, upload_id }, refuse)
  const cut = partsOf(version.size_bytes, settings)
  const of = { workspace_id, upload_id, file_id, version, reference, created_by: caller.user_id }
  return insertUpload(tx, { ...of, ...cut }, now)
}

const beginInStore = (
  blobs: BlobStore,
  upload: { workspace_id: string; upload_id: string },
  refuse: Refuse<'unavailable'>,
): Promise<string> =>
  withTimeout(timeoutMilliseconds, blobs.uploads.begin(upload), () =>
    refuse.unavailable('The store of content did not answer in time. Nothing was changed; try again.'),
  )

/** How many open uploads the caller has in the Workspace. */
export const countOwnUploads = ({ tx, caller, standing }: CallerOfChange): Promise<number> =>
  countOpenUploads(tx, { workspace_id: standing.workspace_id, user_id: caller.user_id })

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
