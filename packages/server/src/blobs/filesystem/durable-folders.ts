import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from './disk-faults.ts'

/** Syncs a folder, so that its names survive a crash. */
export async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/** At this many folders the memory of which are durable starts anew; they are synced once more then. */
const mostRemembered = 20_000

/**
 * Makes folders that survive a crash. Each folder is synced into its parent once in a process, even if it exists: the
 * process that made it may not have come to that.
 */
export function durableFolders(root: string): { make(folder: string): Promise<void> } {
  const durable = new Set<string>()
  async function make(folder: string): Promise<void> {
    if (durable.has(folder)) return
    const parent = dirname(folder)
    if (folder !== root && parent !== folder) await make(parent)
    await mkdir(folder, { recursive: folder === root, mode: 0o700 }).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
    await syncFolder(parent)
    if (durable.size >= mostRemembered) durable.clear()
    durable.add(folder)
  }
  return { make }
}
