import type { JobDraft } from '../../jobs/job-kinds.ts'
import type { VersionRow } from '../file-store.ts'

/**
 * The jobs of a version whose content is stored: one that processes it and is retried, and one that makes it fail if it is
 * still not processed when the time is over.
 */
export function processingJobs(
  { workspace_id }: { workspace_id: string },
  { file_version_id }: VersionRow,
  now: Date,
  { processing_hours }: { processing_hours: number },
): JobDraft[] {
  const due = new Date(now.getTime() + processing_hours * 3_600_000).toISOString()
  const of = { workspace_id, file_version_id }
  return [
    { kind: 'process_file_version', data: { ...of, last: false } },
    { kind: 'process_file_version', data: { ...of, last: true }, due },
  ]
}
