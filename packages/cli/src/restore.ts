import { checkBackup } from '@wbs/server/backup/read-archive'
import { restoreBackup } from '@wbs/server/backup/restore-backup'
import { lockDataFolder } from '@wbs/server/database/data-folder-lock'
import { runWithBackup, backupSize } from './backup-run.ts'
import { withServer, type DatabaseLocation } from './with-database.ts'
import { withStore } from './with-store.ts'

/** `wbs restore`: gives the exit code: 0, or 130 if interrupted. Throws if it fails. */
export function restoreFrom(file: string): Promise<number> {
  return runWithBackup('Interrupted. Nothing was restored.', async options => {
    const backup = await checkBackup(file, options)
    await withServer(place =>
      withDataFolderLock(place, () =>
        withStore(store => restoreBackup({ address: place.address, backup, store, ...options })),
      ),
    )
    return `Restored ${backupSize(backup)} from ${file}, as they were at ${backup.header.made_at}. Every table was compared.`
  })
}

/** Locks the data folder of an embedded database, so that no service starts on it meanwhile. */
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
