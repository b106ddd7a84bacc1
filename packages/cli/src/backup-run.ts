import type { BackupProgress } from '@wbs/server/backup/progress'
import type { CheckedBackup } from '@wbs/server/backup/read-archive'
import { interruptSignal } from './interruption.ts'
import { formatBytes, formatCount, showProgress } from './progress-line.ts'

interface RunOptions {
  onProgress: (progress: BackupProgress) => void
  signal: AbortSignal
}

/**
 * Runs a backup or a restore, with progress on stderr and the summary on stdout. Gives the exit code: 0, or 130 if
 * interrupted. Throws if it fails.
 */
export async function runWithBackup(
  interrupted: string,
  work: (options: RunOptions) => Promise<string>,
): Promise<number> {
  const signal = interruptSignal()
  const progress = showProgress(process.stderr, line)
  try {
    const told = await work({ onProgress: progress.show, signal })
    progress.end()
    console.log(told)
    return 0
  } catch (error) {
    progress.end()
    if (!signal.aborted) throw error
    console.error(interrupted)
    return 130
  }
}

/** The size of a backup, for its summary. */
export function backupSize({ manifest: { tables, blobs } }: CheckedBackup): string {
  const rows = formatCount(tables.reduce((sum, table) => sum + table.rows, 0))
  const content = blobs && `${formatCount(blobs.count)} blobs of ${formatBytes(blobs.bytes)}`
  return `${rows} rows of ${tables.length} tables${content ? ` and ${content}` : ', without blobs,'}`
}

const doing = {
  reading: 'read',
  checking: 'checked',
  loading: 'loaded',
  comparing: 'compared',
  finishing: 'loaded and compared; now their indexes are made',
  reading_content: 'read',
  checking_content: 'checked',
  storing_content: 'stored',
} satisfies Record<BackupProgress['phase'], string>

function line(progress: BackupProgress): string {
  if ('rows' in progress) return `${formatCount(progress.rows)} rows ${doing[progress.phase]}`
  const { phase, bytes, total_bytes } = progress
  const total = total_bytes === null ? '' : ` of ${formatBytes(total_bytes)}`
  return `${formatBytes(bytes)}${total} of content ${doing[phase]}`
}
