import { PartsMissing, UploadMissing } from '../../blobs/blob-errors.ts'
import type { StoredContent } from '../../blobs/blob-store.ts'
import { askStore, type WaitWithoutSlot } from '../ask-store.ts'
import { missingParts } from './upload.ts'
import type { UploadRow } from './upload-store.ts'
import { lookAtUpload, type UploadParts } from './upload-view.ts'

/** What became of the parts of an open upload: content, or parts are missing, or it has expired. */
export type Sealed =
  | { outcome: 'sealed'; content: StoredContent }
  | { outcome: 'missing'; part_numbers: readonly number[] }
  | { outcome: 'expired' }

/** Larger content takes so long to read that the request waits without its slot. */
const smallBytes = 8 * 1024 * 1024

/** Seals uploads; completions of the same upload that run at the same time share the work. */
export function createSealer(parts: UploadParts) {
  const underWay = new Map<string, Promise<Sealed>>()

  function sealOnce(upload: UploadRow): Promise<Sealed> {
    const { upload_id } = upload
    const sealing = underWay.get(upload_id) ?? seal(parts, upload)
    if (!underWay.has(upload_id)) {
      underWay.set(upload_id, sealing)
      sealing.finally(() => underWay.delete(upload_id)).catch(() => undefined)
    }
    return sealing
  }

  return async (upload: UploadRow, now: Date, waitWithoutSlot: WaitWithoutSlot): Promise<Sealed> => {
    const current = await askStore(lookAtUpload(parts, upload, now), waitWithoutSlot)
    if (current.status !== 'open') return { outcome: 'expired' }
    const part_numbers = missingParts(upload, current.parts)
    if (part_numbers.length > 0) return { outcome: 'missing', part_numbers }
    if (upload.size_bytes <= smallBytes) return askStore(sealOnce(upload), waitWithoutSlot)
    return waitWithoutSlot(() => sealOnce(upload))
  }
}

async function seal({ blobs }: UploadParts, upload: UploadRow): Promise<Sealed> {
  try {
    return { outcome: 'sealed', content: await blobs.uploads.seal(upload, upload.part_count) }
  } catch (error) {
    if (error instanceof PartsMissing) return { outcome: 'missing', part_numbers: error.part_numbers }
    // Somebody else has ended the upload meanwhile. The handler finds out how.
    if (error instanceof UploadMissing) return { outcome: 'missing', part_numbers: [1] }
    throw error
  }
}
