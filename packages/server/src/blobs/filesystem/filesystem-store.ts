import { rm } from 'node:fs/promises'
import { PartsMissing, UploadMissing } from '../blob-errors.ts'
import { missingNumbers } from '../blob-names.ts'
import type { BegunUpload, BlobStore, StoredContent } from '../blob-store.ts'
import { earlySeals } from '../sealing/early-seals.ts'
import { createThreads } from '../../threads/threads.ts'
import type { SealOrder, SealOutcome } from '../sealing/seal-files.ts'
import { blobFiles } from './blob-files.ts'
import { blobPaths } from './blob-paths.ts'
import { checkFolder } from './check-folder.ts'
import { diskFault, onDisk } from './disk-faults.ts'
import { durableFolders } from './durable-folders.ts'
import { freeSpace, noRoom } from './free-space.ts'
import { listBlobs, listUploads } from './list-files.ts'
import { partFiles, storedPart, type PartFile } from './part-files.ts'
import { etagOf } from './part-name.ts'

/** Keeps content in a folder that only the service's user can read. It leaves so many bytes of the disk free. */
export function createFilesystemStore(root: string, reserveBytes = 0): BlobStore {
  const paths = blobPaths(root)
  const folders = durableFolders(root)
  const blobs = blobFiles(paths, folders)
  const parts = partFiles(paths)
  const sealing = createThreads<SealOrder, SealOutcome>({
    module: new URL('../sealing/seal-worker.ts', import.meta.url),
    name: 'sealing',
    idleMilliseconds: 30_000,
  })
  const space = freeSpace(root, reserveBytes)
  const early = earlySeals(paths.newTemporary, space.take)

  /** Takes space for content. Uploads that are sealed early have their bytes twice, so those are given up first. */
  async function takeSpace(bytes: number): Promise<() => void> {
    const taken = await space.take(bytes)
    if (taken) return taken
    await early.dropAll()
    space.refresh()
    const left = await space.take(bytes)
    if (!left) throw noRoom(root)
    return left
  }

  /** Runs work that writes so many bytes, if there is space for them. */
  async function withSpace<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const end = await takeSpace(bytes)
    try {
      return await work()
    } finally {
      end()
    }
  }

  /** Runs work once the folders exist in which it needs them. */
  const ready = <T>(work: () => Promise<T>) =>
    onDisk(root, async () => {
      await Promise.all([folders.make(paths.temporary), folders.make(paths.uploads)])
      return work()
    })

  async function seal(upload: BegunUpload, part_count: number, signal?: AbortSignal): Promise<StoredContent> {
    if (part_count === 0) return blobs.put(upload.workspace_id, new Uint8Array())
    const chosen = await partsToSeal(upload, part_count)
    const finished = await early.finish(upload, chosen, signal)
    const into = finished?.into ?? paths.newTemporary()
    try {
      if (finished) {
        await blobs.adopt(upload.workspace_id, finished.content, into)
        return finished.content
      }
      // A single part gets a second name.
      const sealed = () => sealing.carryOut(upload.workspace_id, { parts: chosen, into }, signal)
      const outcome = await (chosen.length > 1 ? withSpace(sizeOf(chosen), sealed) : sealed())
      if ('damaged' in outcome) {
        await removeDamaged(chosen, outcome.damaged)
        throw new PartsMissing(outcome.damaged)
      }
      await blobs.adopt(upload.workspace_id, outcome.content, into)
      return outcome.content
    } finally {
      await rm(into, { force: true }).catch(() => undefined)
    }
  }

  async function partsToSeal(upload: BegunUpload, part_count: number): Promise<PartFile[]> {
    const found = await parts.find(upload)
    if (!found) throw new UploadMissing(upload.upload_id)
    const missing = missingNumbers(
      found.map(part => part.part_number),
      part_count,
    )
    if (missing.length > 0) throw new PartsMissing(missing)
    return found.filter(part => part.part_number <= part_count)
  }

  return {
    put: (workspace_id, bytes) =>
      ready(() => withSpace(bytes.byteLength, () => blobs.put(workspace_id, bytes))),
    read: (...blob) => onDisk(root, () => blobs.read(...blob)),
    has: (...blob) => onDisk(root, () => blobs.has(...blob)),
    remove: (...blob) => onDisk(root, () => blobs.remove(...blob)),
    list: after => withDiskFaults(root, listBlobs(paths, after)),
    uploads: {
      async begin(upload) {
        await ready(() => parts.begin(upload))
        return ''
      },
      partUrl: () => Promise.resolve(null),
      writePart: (upload, ...part) =>
        ready(async () => {
          const written = await withSpace(part[0].size_bytes, () => parts.write(upload, ...part))
          early.stored(upload, written)
          return { etag: etagOf(written) }
        }),
      parts: upload => onDisk(root, async () => ((await parts.find(upload)) ?? []).map(storedPart)),
      seal: (...order) => ready(() => seal(...order)),
      discard: upload =>
        ready(async () => {
          await parts.discard(upload)
          await early.drop(upload)
        }),
      list: () => withDiskFaults(root, listUploads(paths)),
    },
    check: () => ready(() => checkFolder(paths)),
    close: async () => void (await Promise.all([sealing.close(), early.close()])),
  }
}

const sizeOf = (parts: readonly PartFile[]) => parts.reduce((sum, { size_bytes }) => sum + size_bytes, 0)

/** What is damaged must not be listed as stored, so that a client that resumes sends it again. */
async function removeDamaged(chosen: readonly PartFile[], damaged: readonly number[]): Promise<void> {
  for (const part of chosen) if (damaged.includes(part.part_number)) await rm(part.path, { force: true })
}

async function* withDiskFaults<T>(root: string, items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items
  } catch (error) {
    throw diskFault(error, root)
  }
}
