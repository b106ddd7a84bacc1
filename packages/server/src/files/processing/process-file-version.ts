import type { BlobStore } from '../../blobs/blob-store.ts'
import type { SystemChange } from '../../call/system-change.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { Reader } from '../../database/statement.ts'
import type { Inspector } from '../../inspection/inspector.ts'
import type { JobHandlers } from '../../jobs/job-kinds.ts'
import { saveCurrentVersion } from '../file-change-store.ts'
import { saveFailedVersion } from './version-change-store.ts'
import { processed, takesOver, type Processed } from './processing.ts'
import { lockFileOfService } from './service-lock-store.ts'
import { failedEvents, readyEvents } from './version-events.ts'
import {
  activateRoomFiles,
  saveReadyVersion,
  storedVersionById,
  type StoredVersion,
} from './version-store.ts'

export interface ProcessingParts {
  readers: { scoped(scope: { workspace_id: string; user_id: null }): Reader }
  blobs: Pick<BlobStore, 'read'>
  inspector: Pick<Inspector, 'inspect'>
  change: SystemChange
  now: () => Date
}

/**
 * Inspects the content of a version, and makes the version ready or failed. A fault of the environment is retried with the
 * job; in the last one it makes the version fail, so that no version is processed for ever.
 */
export const processFileVersion =
  (parts: ProcessingParts): JobHandlers['process_file_version'] =>
  async ({ workspace_id, file_version_id, last }, job) => {
    const reader = parts.readers.scoped({ workspace_id, user_id: null })
    const found = await storedVersionById(reader, workspace_id, file_version_id)
    if (found?.version.processing_status !== 'processing') return
    const outcome = await inspect(parts, found).catch((error: unknown): Processed => {
      if (last) return { error: 'internal_error' }
      throw error
    })
    await parts.change(workspace_id, job, tx => record(tx, found, outcome, parts.now()))
  }

async function inspect({ blobs, inspector }: ProcessingParts, found: StoredVersion): Promise<Processed> {
  const { workspace_id, stored_sha256, name, version } = found
  if (stored_sha256 === null) throw new Error('A version is processed without content.')
  const { content_type: declared_type, size_bytes } = version
  const open = () => blobs.read(workspace_id, stored_sha256)
  return processed(await inspector.inspect({ declared_type, name, size_bytes, open }))
}

async function record(
  tx: Transaction,
  { workspace_id, file_id, version: { file_version_id } }: StoredVersion,
  outcome: Processed,
  now: Date,
) {
  const [file, found] = await Promise.all([
    lockFileOfService(tx, workspace_id, file_id),
    storedVersionById(tx, workspace_id, file_version_id),
  ])
  // Another attempt may have recorded its outcome before the File was locked.
  if (!file || found?.version.processing_status !== 'processing') return []
  const isCurrent = file.current_version.file_version_id === file_version_id
  if (outcome.error !== null) {
    const failed = saveFailedVersion(tx, found, found.version, outcome.error)
    if (isCurrent) saveCurrentVersion(tx, file, failed, now)
    return failedEvents(file, failed)
  }
  const ready = saveReadyVersion(tx, found, outcome.findings, now)
  if (takesOver(ready, file.current_version)) {
    saveCurrentVersion(tx, file, ready, now)
    activateRoomFiles(tx, file, now)
  }
  return readyEvents(file, ready)
}
