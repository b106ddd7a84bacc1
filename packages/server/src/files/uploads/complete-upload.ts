import { completeUpload } from '@wbs/contract/files/uploads'
import type { ProcessingError } from '@wbs/contract/files/version-schema'
import type { StoredContent } from '../../blobs/blob-store.ts'
import { implement, type MutationContext } from '../../call/implement.ts'
import { databaseTime } from '../../database/database-time.ts'
import { viewerOf } from '../../rooms/room-access.ts'
import { requireActiveFile } from '../file-access.ts'
import { isStored, lockContentToName, type Removal } from '../content/stored-content-store.ts'
import { fileById } from '../file-store.ts'
import { processingJobs } from '../processing/processing-jobs.ts'
import type { RemoveContent } from '../processing/remove-content.ts'
import { saveStoredVersion } from '../processing/version-change-store.ts'
import { endedUpload, failUpload } from './end-upload.ts'
import { createSealer, type Sealed } from './seal-upload.ts'
import { beforeUploadChange, openUpload, requireOpen, type OpenedUpload } from './upload-access.ts'
import { endUpload } from './upload-change-store.ts'
import { uploadById, type UploadRow } from './upload-store.ts'
import type { UploadParts } from './upload-view.ts'

/** What the upload became, and a time before that. Null if there was nothing to seal: the caller cannot see the upload, or it is not open. */
type Prepared = (Sealed & { since: Date }) | null
type Context = MutationContext<typeof completeUpload, Prepared>

export function handleCompleteUpload(parts: UploadParts, removeContent: RemoveContent) {
  const seal = createSealer(parts)
  return implement<typeof completeUpload, Prepared>(
    completeUpload,
    async function completeUpload({ upload_id, sha256 }, context) {
      const { tx, standing, refuse, prepared } = context
      const lockContent = async () =>
        prepared?.outcome === 'sealed'
          ? lockContentToName(tx, standing.workspace_id, prepared.content.sha256)
          : undefined
      const [opened, removal] = await openUpload(context, upload_id, lockContent)
      requireActiveFile(opened.file, refuse)
      requireOpen(opened.upload, refuse)
      requireSameSha256(sha256, opened.upload, refuse)
      const content = requireSealed(prepared, opened.upload, refuse)
      const failure = mismatchOf(content, opened.upload, sha256)
      if (failure) return failUpload(opened, 'completed', failure, parts, context, content)
      requireStored(removal, context)
      return complete(opened, content, parts, context)
    },
    {
      ...beforeUploadChange,
      async prepare({ upload_id, sha256 }, context) {
        const upload = await uploadById(context.read, viewerOf(context), upload_id)
        if (upload?.status !== 'open' || differs(sha256, upload)) return null
        // Content of an archived File is not sealed, because the handler refuses it.
        if ((await fileById(context.read, viewerOf(context), upload.file_id))?.lifecycle !== 'active')
          return null
        const since = await databaseTime(context.read)
        return { ...(await seal(upload, context.now, context.waitWithoutSlot)), since }
      },
      async abandon(prepared, { workspace_id }) {
        if (prepared?.outcome === 'sealed') await removeContent(workspace_id, prepared.content.sha256)
      },
    },
  )
}

const differs = (sha256: string | undefined, { declared_sha256 }: UploadRow): boolean =>
  sha256 !== undefined && declared_sha256 !== null && sha256 !== declared_sha256

/** Throws validation_error if the upload was announced with another SHA-256. */
function requireSameSha256(sha256: string | undefined, upload: UploadRow, refuse: Context['refuse']): void {
  if (!differs(sha256, upload)) return
  const detail = 'sha256 must be the one that the upload was announced with. You can omit it.'
  throw refuse.validation_error(detail, {
    errors: [{ in: 'body', pointer: '/sha256', code: 'conflict', detail }],
  })
}

/** The content of an open upload. Throws state_conflict if parts are missing or it has expired. */
function requireSealed(
  prepared: Prepared,
  { part_count }: UploadRow,
  refuse: Context['refuse'],
): StoredContent {
  if (prepared?.outcome === 'sealed') return prepared.content
  if (prepared?.outcome === 'expired')
    throw refuse.state_conflict('The upload is expired, so it takes no more content.', {
      current_status: 'expired',
    })
  if (prepared?.outcome === 'missing')
    throw refuse.state_conflict(missingWords(prepared.part_numbers, part_count), { current_status: 'open' })
  throw refuse.unavailable('The upload or your access to it has just changed. Send the request again.')
}

const mostNamed = 10

/** Names how many parts are missing, and the first of them. */
function missingWords(part_numbers: readonly number[], part_count: number): string {
  const named = part_numbers.slice(0, mostNamed).join(', ')
  const more = part_numbers.length > mostNamed ? ' and others' : ''
  return `${part_numbers.length} of ${part_count} parts are missing: ${named}${more}. Send them, then complete the upload.`
}

function mismatchOf(
  content: StoredContent,
  upload: UploadRow,
  sha256 = upload.declared_sha256,
): Extract<ProcessingError, 'size_mismatch' | 'checksum_mismatch'> | null {
  if (content.size_bytes !== upload.size_bytes) return 'size_mismatch'
  return sha256 !== null && sha256 !== content.sha256 ? 'checksum_mismatch' : null
}

/** Throws unavailable if the content was removed before this transaction locked it. */
function requireStored(removal: Removal, { prepared, refuse }: Context): void {
  if (prepared && !isStored(removal, prepared.since))
    throw refuse.unavailable('The content must be stored once more. Send the request again.')
}

function complete(opened: OpenedUpload, { sha256 }: StoredContent, parts: UploadParts, context: Context) {
  const { tx, now } = context
  const version = saveStoredVersion(tx, opened.file, opened.upload.version, sha256)
  const upload = endUpload(tx, opened.upload, 'completed', now)
  const outcome = endedUpload({ ...opened, upload }, version, parts, context)
  return { ...outcome, jobs: [...outcome.jobs, ...processingJobs(opened.file, version, now, parts.settings)] }
}
