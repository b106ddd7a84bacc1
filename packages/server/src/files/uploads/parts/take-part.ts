import { PartSizeMismatch, UploadMissing } from '../../../blobs/blob-errors.ts'
import { currentHolder } from '../../../call/authority/url-holder.ts'
import { refuseWith } from '../../../call/problem.ts'
import type { Reader } from '../../../database/statement.ts'
import { requireActiveFile, requireFile } from '../../file-access.ts'
import { readPartUrl, type PartGrant, type PartSignatures } from './part-token.ts'
import { expiryOf, sizeOfPart } from '../upload.ts'
import { requireOpen, requireUpload } from '../upload-access.ts'
import { uploadOfWorkspace, type UploadRow } from '../upload-store.ts'
import { lookAtUpload, type UploadParts } from '../upload-view.ts'

/** What takes the parts that clients send to the service. */
export interface TakePartParts extends UploadParts {
  signatures: PartSignatures
  readers: { scoped(scope: { workspace_id: string; user_id: string | null }): Reader }
  now: () => Date
}

const refuse = refuseWith(['forbidden', 'not_found', 'state_conflict', 'validation_error'])

interface Target {
  upload_id: string
  part_number: string
  query: URLSearchParams
  address: string
}

/**
 * Judges the URL of a part: its signature, and then, as of now, the upload and the rights of who asked for the URL. A body
 * may take long to arrive, so the rights are judged again at its end, before the part is stored. Throws forbidden,
 * not_found, state_conflict.
 */
export const createTakePart = (parts: TakePartParts) => async (target: Target) => {
  const { blobs, now } = parts
  const { grant, upload } = await requireGrant(parts, target)
  const { address } = target
  await requireRights(parts, grant, address)
  // Only an upload that would have expired without its parts needs them to be looked at.
  if (expiryOf(upload, [], parts.settings) > now()) requireOpen(upload, refuse)
  else requireOpen(await lookAtUpload(parts, upload, now()), refuse)
  const { part_number, size_bytes } = grant
  return {
    size_bytes,
    principal: grant.key_id === null ? `user:${grant.user_id}` : `key:${grant.key_id}`,
    write: (body: AsyncIterable<Uint8Array>) =>
      blobs.uploads
        .writePart(
          upload,
          { part_number, size_bytes },
          andThen(body, () => requireRights(parts, grant, address)),
        )
        .catch((error: unknown) => {
          throw problemOf(error)
        }),
  }
}

/** Throws unless who asked for the URL may send content of the upload now, from this address. */
async function requireRights({ readers }: TakePartParts, grant: PartGrant, address: string): Promise<void> {
  const { workspace_id, user_id, upload_id } = grant
  const read = readers.scoped({ workspace_id, user_id })
  const holder = await currentHolder(read, grant, { address, scope: 'files:write', guests: true })
  if (!holder)
    throw refuse.forbidden('Whoever asked for this address may not upload Files in the Workspace any more.')
  const context = { ...holder, refuse }
  const upload = await requireUpload(context, read, upload_id)
  requireActiveFile(await requireFile(context, read, upload.file_id), refuse)
  requireOpen(upload, refuse)
}

/** The chunks of a body. What is checked at its end may throw, and then the store keeps nothing of it. */
async function* andThen(body: AsyncIterable<Uint8Array>, check: () => Promise<void>) {
  yield* body
  await check()
}

/** What the URL allows, and its upload. Throws forbidden unless the service has signed it and it is still valid. */
async function requireGrant(
  { signatures, readers, now }: TakePartParts,
  target: Target,
): Promise<{ grant: PartGrant; upload: UploadRow }> {
  const altered = () =>
    refuse.forbidden('The address is not one that the service returned. Ask for a new one.')
  const read = readPartUrl(target)
  if (!read) throw altered()
  const { workspace_id, upload_id, part_number } = read.grant
  const reader = readers.scoped({ workspace_id, user_id: read.grant.user_id })
  const upload = await uploadOfWorkspace(reader, workspace_id, upload_id)
  // An upload that does not exist takes the same path, so that only the signature decides.
  const size_bytes = upload && part_number <= upload.part_count ? sizeOfPart(upload, part_number) : 0
  const grant = { ...read.grant, size_bytes }
  if (!signatures.verifies(grant, read.signature) || !upload) throw altered()
  if (grant.expires <= now().getTime()) throw refuse.forbidden('The address has expired. Ask for a new one.')
  return { grant, upload }
}

/** What the client is told if the store refuses a part. Other errors are returned as they are. */
function problemOf(error: unknown): unknown {
  if (error instanceof UploadMissing)
    return refuse.state_conflict('The upload has ended, so it takes no more content.', {
      current_status: 'expired',
    })
  if (error instanceof PartSizeMismatch) {
    const detail = 'The part does not have the size that it must have.'
    return refuse.validation_error(detail, {
      errors: [{ in: 'body', pointer: '', code: 'out_of_range', detail }],
    })
  }
  return error
}
