import { checkBackup } from '@wbs/server/backup/read-archive'
import { restoreBackup } from '@wbs/server/backup/restore-backup'
import { holdDatabase } from '@wbs/server/database/data-folder-lock'
import { runWithBackup, size } from './backup-run.ts'
import { withServer, type Place } from './with-database.ts'

/** `wbs restore`: answers the exit code, 0 or, where it was interrupted, 130. Throws for what made it fail. */
export function restoreFrom(file: string): Promise<number> {
  return runWithBackup('Interrupted. Nothing was restored.', async options => {
    const backup = await checkBackup(file, options)
    await withServer(place =>
      alone(place, () => restoreBackup({ address: place.address, backup, ...options })),
    )
    return `Restored ${size(backup)} from ${file}, as they were at ${backup.head.made_at}. Every table was compared.`
  })
}

/** Keeps services off an embedded database for the while. */
async function alone({ address, dataDir }: Place, work: () => Promise<void>): Promise<void> {
  if (dataDir === null) return work()
  const letGo = await holdDatabase(address, dataDir)
  try {
    await work()
  } finally {
    await letGo()
  }
}
