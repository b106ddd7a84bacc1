import { importBusinesses } from '@wbs/server/businesses/import/import-businesses'
import type { ImportResult } from '@wbs/server/businesses/import/import-businesses'
import { connectWriter } from '@wbs/server/database/database'
import { sendOn } from '@wbs/server/jobs/jobs'
import { showProgress } from './progress-line.ts'
import { withDatabase } from './with-database.ts'

export interface ImportFlags {
  publish?: true
  draft?: true
  rejects?: string
  sources?: string
}

/**
 * `wbs import businesses`: progress goes to stderr, the summary to stdout. Answers the exit code: 0 all rows are in, 2 some were
 * rejected, 130 interrupted. Throws for what made it fail.
 */
export async function importFiles(files: string[], flags: ImportFlags): Promise<number> {
  const rejectsFile =
    flags.rejects ?? `rejected-businesses-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}.csv`
  const publish = flags.publish === true
  const interrupted = interruption()
  const progress = showProgress(process.stderr)
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

/** Aborts at the first Ctrl-C; the import then ends at the next boundary between batches. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}

const number = (count: number) => count.toLocaleString('en-US')

function summary(result: ImportResult, publish: boolean, rejectsFile: string): string {
  const rate = Math.round(result.read / Math.max(result.seconds, 0.001))
  const reasons = Object.entries(result.reasons).map(([code, count]) => `${code} ${number(count)}`)
  return [
    `${number(result.read)} ${result.read === 1 ? 'row' : 'rows'} read in ${result.seconds.toFixed(1)} s (${number(rate)} a second)`,
    `  created    ${number(result.created)}${publish ? ', published' : ', as drafts that no search finds; --publish publishes them'}`,
    `  updated    ${number(result.updated)}`,
    `  unchanged  ${number(result.unchanged)}`,
    `  rejected   ${number(result.rejected)}${result.rejected > 0 ? ` (${reasons.join(', ')}), see ${rejectsFile}` : ''}`,
  ].join('\n')
}
