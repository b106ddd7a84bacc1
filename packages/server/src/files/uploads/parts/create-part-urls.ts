import { createPartUrls } from '@wbs/contract/files/uploads'
import type { Caller } from '../../../call/authority/caller.ts'
import { holderOf } from '../../../call/authority/url-holder.ts'
import { implement, type QueryContext } from '../../../call/implement.ts'
import { requireFile, requireActiveFile } from '../../file-access.ts'
import { partPath, type PartGrant, type PartSignatures } from './part-token.ts'
import { sizeOfPart } from '../upload.ts'
import { requireOpen, requireUpload } from '../upload-access.ts'
import type { UploadRow } from '../upload-store.ts'
import { lookAtUpload, type UploadParts } from '../upload-view.ts'

/** What makes the URLs of parts. */
export interface PartUrlParts extends UploadParts {
  signatures: PartSignatures
  /** The address at which clients reach the service. */
  baseUrl: () => string
}

type Context = QueryContext<typeof createPartUrls>

export const handleCreatePartUrls = (parts: PartUrlParts) =>
  implement(createPartUrls, async function createPartUrls({ upload_id, part_numbers }, context) {
    const { read, now, refuse } = context
    const upload = await requireUpload(context, read, upload_id)
    requireActiveFile(await requireFile(context, read, upload.file_id), refuse)
    requireOpen(await lookAtUpload(parts, upload, now), refuse)
    requireNumbers(part_numbers, upload, refuse)
    const urls = part_numbers.map(part_number => urlOf(parts, upload, part_number, context))
    return { result: { parts: await Promise.all(urls) } }
  })

/** Throws validation_error if the upload has fewer parts. */
function requireNumbers(
  part_numbers: readonly number[],
  { part_count }: UploadRow,
  refuse: Context['refuse'],
): void {
  const errors = part_numbers.flatMap((number, at) => {
    if (number <= part_count) return []
    const detail = `The upload has ${part_count} ${part_count === 1 ? 'part' : 'parts'}.`
    return [{ in: 'body' as const, pointer: `/part_numbers/${at}`, code: 'out_of_range' as const, detail }]
  })
  if (errors[0]) throw refuse.validation_error(errors[0].detail, { errors })
}

/** The store would take a part from any address. */
const isBoundToNetworks = (caller: Caller): boolean => caller.kind === 'key' && caller.has_networks

/** The address of the store itself, or else one of the service, with a signature. */
async function urlOf(
  { blobs, settings, signatures, baseUrl }: PartUrlParts,
  upload: UploadRow,
  part_number: number,
  { caller, now }: Context,
) {
  const size_bytes = sizeOfPart(upload, part_number)
  const seconds = settings.part_url_minutes * 60
  const expires = now.getTime() + Math.round(seconds * 1000)
  const answer = {
    part_number,
    method: 'PUT' as const,
    size_bytes,
    expires_at: new Date(expires).toISOString(),
  }
  const expires_in_seconds = Math.max(1, Math.floor(seconds))
  const ofStore = isBoundToNetworks(caller)
    ? null
    : await blobs.uploads.partUrl(upload, { part_number, size_bytes, expires_in_seconds })
  if (ofStore) return { ...answer, ...ofStore }
  const { workspace_id, upload_id } = upload
  const grant: PartGrant = { ...holderOf(caller, workspace_id), upload_id, part_number, size_bytes, expires }
  const url = `${baseUrl()}${partPath(grant, signatures.sign(grant))}`
  return { ...answer, url, headers: {} }
}
