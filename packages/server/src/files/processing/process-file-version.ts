import type { BlobStore } from '../../blobs/blob-store.ts'
import type { SystemChange } from '../../call/system-change.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { Reader } from '../../database/statement.ts'
import { Postponed, type InspectionTurn, type Inspector, type Spent } from '../../inspection/inspector.ts'
import type { JobDraft, JobHandlers } from '../../jobs/job-kinds.ts'
import { saveCurrentVersion } from '../file-change-store.ts'
import { saveFailedVersion } from './version-change-store.ts'
import { processed, takesOver, type Processed } from './processing.ts'
import { priorityOf, turnOf, type SenderTime } from './sender-time.ts'
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
  time: SenderTime
  change: SystemChange
  now: () => Date
}

/** Content above this is read for so long that it does not wait among others. */
const longContent = 100_000_000

/**
 * Inspects the content of a version in a short turn, and makes the version ready or failed. If its sender has used much since
 * it was queued, it goes behind those of others. What needs a long turn, or whose sender has used their time, is left to the job
 * of those that come last. A fault of the environment is retried with the job; in the last one it makes the version fail, so that
 * no version is processed for ever.
 */
export const processFileVersion =
  (parts: ProcessingParts): JobHandlers['process_file_version'] =>
  async (data, job) => {
    const found = await waitingVersion(parts, data)
    if (!found) return
    const { left: queuedWith, ...version } = data
    const isLong = found.version.size_bytes > longContent
    const turn = async () => turnOf(await parts.time.left(found), queuedWith)
    const mayBegin = async () => (await turn()) === 'now'
    const outcome =
      !isLong && (await mayBegin())
        ? await inspect(parts, found, data, { length: 'short', mayBegin, ...endingWith(job) })
        : 'postponed'
    if (outcome !== 'postponed') return conclude(parts, found, outcome, job)
    const left = await parts.time.left(found)
    const isBehind = !isLong && turnOf(left, queuedWith) === 'behind'
    const next: JobDraft = isBehind
      ? { kind: 'process_file_version', data: { ...version, left }, priority: priorityOf(left) }
      : { kind: 'process_file_version_last', data: version, priority: priorityOf(left) }
    await parts.change(data.workspace_id, job, () => Promise.resolve({ events: [], jobs: [next] }))
  }

/** Inspects the content of a version that comes last, in a long turn. */
export const processFileVersionLast =
  (parts: ProcessingParts): JobHandlers['process_file_version_last'] =>
  async (data, job) => {
    const found = await waitingVersion(parts, data)
    if (!found) return
    const outcome = await inspect(parts, found, data, { length: 'long', ...endingWith(job) })
    if (outcome !== 'postponed') await conclude(parts, found, outcome, job)
  }

type Data = Parameters<JobHandlers['process_file_version_last']>[0]
type Job = Parameters<JobHandlers['process_file_version']>[1]

/** A turn ends when the node stops. */
const endingWith = ({ stopping }: Job) => (stopping ? { signal: stopping } : {})

/** The version of a job, if it still has to be processed. */
async function waitingVersion(
  { readers }: ProcessingParts,
  { workspace_id, file_version_id }: Data,
): Promise<StoredVersion | undefined> {
  const reader = readers.scoped({ workspace_id, user_id: null })
  const found = await storedVersionById(reader, workspace_id, file_version_id)
  return found?.version.processing_status === 'processing' ? found : undefined
}

async function inspect(
  { blobs, inspector, time }: ProcessingParts,
  found: StoredVersion,
  { last }: Data,
  turn: InspectionTurn,
): Promise<Processed | 'postponed'> {
  const { workspace_id, stored_sha256, name, version } = found
  if (stored_sha256 === null) throw new Error('A version is processed without content.')
  const { content_type: declared_type, size_bytes } = version
  const open = () => blobs.read(workspace_id, stored_sha256)
  const note = (spent: Spent) => time.charge(found, spent)
  try {
    return processed(await inspector.inspect({ declared_type, name, size_bytes, open }, { ...turn, note }))
  } catch (error) {
    if (error instanceof Postponed) return 'postponed'
    if (last && !turn.signal?.aborted) return { error: 'internal_error' }
    throw error
  }
}

const conclude = (parts: ProcessingParts, found: StoredVersion, outcome: Processed, job: Job) =>
  parts.change(found.workspace_id, job, tx => record(tx, found, outcome, parts.now()))

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
