import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UploadMissing } from '../blob-errors.ts'
import { checkedPartNumber } from '../blob-names.ts'
import type { DeclaredPart, StoredPart, UploadKey } from '../blob-store.ts'
import type { BlobPaths } from './blob-paths.ts'
import { isAbsent } from './disk-faults.ts'
import { etagOf, newPartName, readPartName, type NamedPart } from './part-name.ts'
import { writePartFile } from './write-part.ts'

/** The file of a part that is stored completely. */
export interface PartFile extends NamedPart {
  path: string
  /** Greater than that of the file it replaces. */
  order: string
  stored_at: Date
}

/** The file of a part that was just stored. */
export type WrittenPart = NamedPart & Pick<PartFile, 'path'>

/** A folder for each upload, with one file for each part. */
export interface PartFiles {
  begin(upload: UploadKey): Promise<void>
  write(upload: UploadKey, part: DeclaredPart, body: AsyncIterable<Uint8Array>): Promise<WrittenPart>
  /** The files of the parts, in order; null if there is no such upload. */
  find(upload: UploadKey): Promise<PartFile[] | null>
  discard(upload: UploadKey): Promise<void>
}

export function partFiles(paths: BlobPaths): PartFiles {
  return {
    begin: async upload => void (await mkdir(paths.upload(upload), { recursive: true, mode: 0o700 })),
    async write(upload, part, body) {
      checkedPartNumber(part.part_number)
      const folder = paths.upload(upload)
      const temporary = paths.newTemporary()
      try {
        const written = await writePartFile(temporary, part, body)
        const path = join(folder, newPartName(written))
        await nameAs(path, temporary, upload.upload_id)
        await removeReplaced(folder, part.part_number)
        return { ...written, path }
      } finally {
        await rm(temporary, { force: true }).catch(() => undefined)
      }
    },
    find: async upload => {
      const files = await filesIn(paths.upload(upload))
      return files && newestOfEach(files)
    },
    async discard(upload) {
      const removed = paths.newTemporary()
      // Renamed first, so that nobody adds a part to a folder that is being removed.
      await rename(paths.upload(upload), removed).catch((error: unknown) => {
        if (!isAbsent(error)) throw error
      })
      await rm(removed, { recursive: true, force: true })
    },
  }
}

export const storedPart = (part: PartFile): StoredPart => ({
  part_number: part.part_number,
  size_bytes: part.size_bytes,
  etag: etagOf(part),
  stored_at: part.stored_at,
})

async function nameAs(path: string, temporary: string, upload_id: string) {
  await rename(temporary, path).catch((error: unknown) => {
    throw isAbsent(error) ? new UploadMissing(upload_id) : error
  })
}

/** Two requests may replace a part at the same time. Both keep the newer one, so neither removes what the other stored. */
async function removeReplaced(folder: string, part_number: number): Promise<void> {
  const files = (await filesIn(folder, part_number)) ?? []
  const [newest] = newestOfEach(files)
  for (const file of files) if (file !== newest) await rm(file.path, { force: true })
}

function newestOfEach(files: readonly PartFile[]): PartFile[] {
  const newest = new Map<number, PartFile>()
  for (const file of files) {
    const other = newest.get(file.part_number)
    if (!other || file.order > other.order) newest.set(file.part_number, file)
  }
  return [...newest.values()].sort((first, other) => first.part_number - other.part_number)
}

/** The files of all parts, or of one. A file of another size than its name says is damaged, and counts as absent. */
async function filesIn(folder: string, part_number?: number): Promise<PartFile[] | null> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isAbsent(error)) return null
    throw error
  })
  if (!names) return null
  const wanted = part_number === undefined ? names : names.filter(name => name.startsWith(`${part_number}-`))
  const files = await Promise.all(wanted.map(name => fileOf(folder, name)))
  return files.filter(file => file !== null)
}

async function fileOf(folder: string, name: string): Promise<PartFile | null> {
  const part = readPartName(name)
  if (!part) return null
  const path = join(folder, name)
  const found = await stat(path).catch((error: unknown) => {
    if (isAbsent(error)) return null
    throw error
  })
  if (!found || found.size !== part.size_bytes) return null
  return { ...part, path, stored_at: found.mtime }
}
