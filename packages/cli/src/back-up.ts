import { stat } from 'node:fs/promises'
import type { CheckedBackup } from '@wbs/server/backup/read-archive'
import { backUp } from '@wbs/server/backup/write-backup'
import { runWithBackup, backupSize } from './backup-run.ts'
import { formatBytes } from './progress-line.ts'
import { requireDatabase, withServer } from './with-database.ts'
import { withStore } from './with-store.ts'

export interface BackupFlags {
  /** False for --without-blobs. */
  withBlobs: boolean
}

/** `wbs backup`: gives the exit code: 0, or 130 if interrupted. Throws if it fails. */
export function backUpInto(file: string, { withBlobs }: BackupFlags): Promise<number> {
  return runWithBackup('Interrupted. No backup was made.', async options => {
    requireDatabase('back up')
    const backup = await withServer(({ address }) =>
      withStore(store => backUp({ address, file, store: withBlobs ? store : null, ...options })),
    )
    return `Backed up ${backupSize(backup)} to ${file}, ${await sizeOf(backup)}. Keep it as the secret that it is.`
  })
}

async function sizeOf({ file }: CheckedBackup): Promise<string> {
  return formatBytes((await stat(file)).size)
}
