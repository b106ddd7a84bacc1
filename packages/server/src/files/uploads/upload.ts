import type { StoredPart } from '../../blobs/blob-store.ts'
import type { UploadRow } from './upload-store.ts'

/** How uploads are cut into parts, and how long they last. */
export interface UploadSettings {
  part_bytes: number
  /** An upload expires so many days after it was begun. */
  days: number
  /** It expires earlier if no part arrives for so many hours. */
  idle_hours: number
  /** How long the URL of a part is valid. */
  part_url_minutes: number
  /** A version that could not be processed within so many hours fails. */
  processing_hours: number
}

export const defaultUploadSettings: UploadSettings = {
  part_bytes: 8 * 1024 * 1024,
  days: 7,
  idle_hours: 24,
  part_url_minutes: 15,
  processing_hours: 8,
}

/** The most open uploads of a person in a Workspace. */
export const mostOpenUploads = 1000
/** The most parts of an upload. */
const mostParts = 10_000

/** The size and number of the parts of some content. Parts are larger if there would be too many otherwise. */
export function partsOf(size_bytes: number, { part_bytes }: UploadSettings) {
  const part_size_bytes = Math.max(part_bytes, Math.ceil(size_bytes / mostParts))
  return { part_size_bytes, part_count: Math.ceil(size_bytes / part_size_bytes) }
}

type Cut = Pick<UploadRow, 'size_bytes' | 'part_size_bytes' | 'part_count'>

/** The size that a part must have: the last one has what is left. */
export const sizeOfPart = ({ size_bytes, part_size_bytes, part_count }: Cut, part_number: number): number =>
  part_number < part_count ? part_size_bytes : size_bytes - (part_count - 1) * part_size_bytes

/** The numbers of the parts that are not stored, or not in their size. */
export function missingParts(upload: Cut, parts: readonly StoredPart[]): number[] {
  const stored = new Map(parts.map(part => [part.part_number, part.size_bytes]))
  return Array.from({ length: upload.part_count }, (_, at) => at + 1).filter(
    number => stored.get(number) !== sizeOfPart(upload, number),
  )
}

/** When an open upload expires if nothing more arrives. */
export function expiryOf(
  { created_at }: { created_at: string },
  parts: readonly Pick<StoredPart, 'stored_at'>[],
  { days, idle_hours }: Pick<UploadSettings, 'days' | 'idle_hours'>,
): Date {
  const begun = Date.parse(created_at)
  const newest = Math.max(begun, ...parts.map(part => part.stored_at.getTime()))
  return new Date(Math.min(begun + days * 86_400_000, newest + idle_hours * 3_600_000))
}
