import { importBusinesses } from '@wbs/server/businesses/import/import-businesses'
import type { ImportResult } from '@wbs/server/businesses/import/import-businesses'
import type { ImportProgress } from '@wbs/server/businesses/import/progress'
import { connectWriter } from '@wbs/server/database/database'
import { sendOn } from '@wbs/server/jobs/jobs'
import { interruptSignal } from './interruption.ts'
import { formatCount, showProgress } from './progress-line.ts'
import { withDatabase } from './with-database.ts'

export interface ImportFlags {
  publish?: true
  draft?: true
  rejects?: string
  sources?: string
}

/**
 * `wbs import businesses`, with progress on stderr and the summary on stdout. Gives the exit code: 0 if all rows were
 * imported, 2 if some were rejected, 130 if interrupted. Throws if it fails.
 */
export async function importFiles(files: string[], flags: ImportFlags): Promise<number> {
  const rejectsFile =
    flags.rejects ?? `rejected-businesses-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}.csv`
  const publish = flags.publish === true
  const interrupted = interruptSignal()
  const progress = showProgress(process.stderr, progressLine)
  try {
    const result = await withDatabase(
      (address, jobs) =>
        importBusinesses({
          connect: () => connectWriter(address),
          sendJobs: sendOn(jobs),
          files,
          publish,
          rejectsFile,
          sourceCatalogue: flags.sources,
          onProgress: progress.show,
          signal: interrupted,
        }),
      interrupted,
    )
    progress.end()
    console.log(summary(result, publish, rejectsFile))
    return result.rejected > 0 ? 2 : 0
  } catch (error) {
    progress.end()
    if (!interrupted.aborted) throw error
    console.error('Interrupted. What was written stays; run the same command again for the rest.')
    return 130
  }
}

function progressLine({ phase, read, created, updated, seconds }: ImportProgress): string {
  if (phase === 'waiting') return 'Another import is running; waiting for it to end'
  const written = created + updated
  const done = phase === 'writing' ? `${formatCount(written)} rows written of ` : ''
  const rate = Math.round((phase === 'writing' ? written : read) / Math.max(seconds, 0.001))
  return `${done}${formatCount(read)} rows read, ${formatCount(rate)} a second`
}

function summary(result: ImportResult, publish: boolean, rejectsFile: string): string {
  const rate = Math.round(result.read / Math.max(result.seconds, 0.001))
  const reasons = Object.entries(result.reasons).map(([code, number]) => `${code} ${formatCount(number)}`)
  return [
    `${formatCount(result.read)} ${result.read === 1 ? 'row' : 'rows'} read in ${result.seconds.toFixed(1)} s (${formatCount(rate)} a second)`,
    `  created    ${formatCount(result.created)}${publish ? ', published' : ', as drafts that no search finds; --publish publishes them'}`,
    `  updated    ${formatCount(result.updated)}`,
    `  unchanged  ${formatCount(result.unchanged)}`,
    `  rejected   ${formatCount(result.rejected)}${result.rejected > 0 ? ` (${reasons.join(', ')}), see ${rejectsFile}` : ''}`,
  ].join('\n')
}
