import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that is gone when the test ends. */
export async function temporaryFolder(test: { after(hook: () => Promise<void>): void }): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'wbs-backup-'))
  test.after(() => rm(path, { recursive: true, force: true }))
  return path
}
