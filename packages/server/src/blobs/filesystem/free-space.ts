import { statfs } from 'node:fs/promises'
import { StoreUnavailable } from '../blob-errors.ts'

/** Whether a disk has room for content. The rest is left to whatever else needs the disk, such as a database. */
export interface FreeSpace {
  /**
   * Takes so many bytes if that leaves the reserve free, else gives null. What it gives is called when they are written, or will
   * not be: until then they count besides what the disk says, which does not have them yet.
   */
  take(bytes: number): Promise<(() => void) | null>
  /** What is free is read again. */
  refresh(): void
}

/** For so long, what was free is not read again: what was taken since is subtracted. */
const freshMilliseconds = 500

export function freeSpace(root: string, reserveBytes: number): FreeSpace {
  let free = 0
  let readAt = Number.NEGATIVE_INFINITY
  let unwritten = 0

  return {
    async take(bytes) {
      if (reserveBytes === 0) return () => {}
      if (performance.now() - readAt > freshMilliseconds) {
        const { bavail, bsize } = await statfs(root)
        free = bavail * bsize - unwritten
        readAt = performance.now()
      }
      if (free - bytes < reserveBytes) return null
      free -= bytes
      unwritten += bytes
      return () => void (unwritten -= bytes)
    },
    refresh: () => void (readAt = Number.NEGATIVE_INFINITY),
  }
}

export const noRoom = (root: string): StoreUnavailable =>
  new StoreUnavailable(
    'ENOSPC',
    `The disk of the folder ${root} has less free space than the reserve (SVC_STORAGE_RESERVE).`,
    undefined,
  )
