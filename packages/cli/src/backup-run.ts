import type { BackupProgress } from '@wbs/server/backup/progress'
import type { CheckedBackup } from '@wbs/server/backup/read-archive'
import { interruptSignal } from './interruption.ts'
import { formatCount, showProgress } from './progress-line.ts'

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
export const backupSize = ({ manifest: { tables } }: CheckedBackup): string =>
  `${formatCount(tables.reduce((sum, { rows }) => sum + rows, 0))} rows of ${tables.length} tables`

const doing = {
  reading: 'read',
  checking: 'checked',
  loading: 'loaded',
  comparing: 'compared',
  finishing: 'loaded and compared; now their indexes are made',
} satisfies Record<BackupProgress['phase'], string>

const line = ({ phase, rows }: BackupProgress) => `${formatCount(rows)} rows ${doing[phase]}`
