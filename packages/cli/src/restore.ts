import { checkBackup } from '@wbs/server/backup/read-archive'
import { restoreBackup } from '@wbs/server/backup/restore-backup'
import { lockDataFolder } from '@wbs/server/database/data-folder-lock'
import { runWithBackup, backupSize } from './backup-run.ts'
import { withServer, type DatabaseLocation } from './with-database.ts'

/** `wbs restore`: answers the exit code, 0 or, where it was interrupted, 130. Throws for what made it fail. */
export function restoreFrom(file: string): Promise<number> {
  return runWithBackup('Interrupted. Nothing was restored.', async options => {
    const backup = await checkBackup(file, options)
    await withServer(place =>
      withDataFolderLock(place, () => restoreBackup({ address: place.address, backup, ...options })),
    )
    return `Restored ${backupSize(backup)} from ${file}, as they were at ${backup.header.made_at}. Every table was compared.`
  })
}

/** Keeps services off an embedded database for the while. */
async function withDataFolderLock(
  { address, dataDir }: DatabaseLocation,
  work: () => Promise<void>,
): Promise<void> {
  if (dataDir === null) return work()
  const letGo = await lockDataFolder(address, dataDir)
  try {
    await work()
  } finally {
    await letGo()
  }
}
