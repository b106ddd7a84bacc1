import { statfs } from 'node:fs/promises'
import { StoreUnavailable } from '../blob-errors.ts'

/** Whether a disk has room for content. The rest is left to whatever else needs the disk, such as a database. */
export interface FreeSpace {
  /** Whether so many more bytes leave the reserve free. If so, they are taken. */
  take(bytes: number): Promise<boolean>
  /** What is free is read again. */
  refresh(): void
}

/** For so long, what was free is not read again: what was taken since is subtracted. */
const freshMilliseconds = 500

export function freeSpace(root: string, reserveBytes: number): FreeSpace {
  let free = 0
  let readAt = Number.NEGATIVE_INFINITY

  return {
    async take(bytes) {
      if (reserveBytes === 0) return true
      if (performance.now() - readAt > freshMilliseconds) {
        const { bavail, bsize } = await statfs(root)
        free = bavail * bsize
        readAt = performance.now()
      }
      if (free - bytes < reserveBytes) return false
      free -= bytes
      return true
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
