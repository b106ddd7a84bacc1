import { stat } from 'node:fs/promises'
import { BackupError } from '@wbs/server/backup/backup-error'
import type { CheckedBackup } from '@wbs/server/backup/read-archive'
import { backUp } from '@wbs/server/backup/write-backup'
import { runWithBackup, backupSize } from './backup-run.ts'
import { hasDatabase, withServer } from './with-database.ts'

/** `wbs backup`: gives the exit code: 0, or 130 if interrupted. Throws if it fails. */
export function backUpInto(file: string): Promise<number> {
  return runWithBackup('Interrupted. No backup was made.', async options => {
    if (!hasDatabase())
      throw new BackupError(
        'There is no database to back up: DATABASE_URL is not set, and the data folder SVC_DATA_DIR has none.',
      )
    const backup = await withServer(({ address }) => backUp({ address, file, ...options }))
    return `Backed up ${backupSize(backup)} to ${file}, ${await sizeOf(backup)}. Keep it as the secret that it is.`
  })
}

async function sizeOf({ file }: CheckedBackup): Promise<string> {
  return `${((await stat(file)).size / 1e6).toFixed(1)} MB`
}
