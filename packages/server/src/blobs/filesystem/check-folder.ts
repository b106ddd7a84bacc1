import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobPaths } from './blob-paths.ts'
import { namesIn, statOf } from './list-files.ts'

const day = 24 * 3600 * 1000

/** Writes, reads and removes a file. Then removes what a crash left without a final name at least a day ago. */
export async function checkFolder(paths: BlobPaths): Promise<void> {
  const path = paths.newTemporary()
  try {
    await writeFile(path, 'check', { mode: 0o600, flush: true })
    await readFile(path)
  } finally {
    await rm(path, { force: true })
  }
  for await (const name of namesIn(paths.temporary)) {
    const left = join(paths.temporary, name)
    const found = await statOf(left)
    if (found && found.ctimeMs < Date.now() - day) await rm(left, { recursive: true, force: true })
  }
}
