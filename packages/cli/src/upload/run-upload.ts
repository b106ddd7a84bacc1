import { createClient } from '@wbs/sdk'
import { readWorkspaceAccess, type ServiceAccess } from '../config.ts'
import type { AccessFlags } from '../access-flags.ts'
import { interruptSignal } from '../interruption.ts'
import { showProgress } from '../progress-line.ts'
import { failureInWords } from '../failure-in-words.ts'
import { findFiles, type FoundFiles } from './find-files.ts'
import { progressLine } from './progress.ts'
import { readRoomIndex } from './room-index.ts'
import { summaryJson, summaryText } from './summary.ts'
import { newTally, type Tally } from './tally.ts'
import { uploadAll } from './upload-all.ts'
import { CommandError } from '../command-error.ts'
import type { Target } from './upload-one.ts'

export interface UploadFlags extends AccessFlags {
  room: string
  under?: string
  dryRun?: true
  concurrency: number
  json?: true
}

/** How often a request is sent while the service restarts or limits requests: for two to three minutes. */
const patience = 30

/**
 * `wbs upload`, with progress on stderr and the summary on stdout. Gives the exit code: 0 if the Room has all files, 1 if
 * some failed, 130 if interrupted. Throws CommandError if nothing can be uploaded.
 */
export async function uploadPaths(paths: readonly string[], flags: UploadFlags): Promise<number> {
  const signal = interruptSignal()
  const access = await readWorkspaceAccess(flags)
  const found = await findFiles(paths, flags.under)
  const tally = newTally(found)
  const start = performance.now()
  const progress = showProgress(process.stderr, progressLine)
  const report = () => {
    tally.seconds = (performance.now() - start) / 1000
    progress.show(tally)
  }
  let stopped: unknown
  try {
    const target = await targetOf(access, flags, found, signal)
    stopped = await uploadAll(target, found.files, tally, flags.concurrency, report)
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    progress.end()
  }
  report()
  progress.end()
  tell(tally, flags)
  return ending(tally, stopped, signal)
}

async function targetOf(
  access: ServiceAccess,
  flags: UploadFlags,
  found: FoundFiles,
  signal: AbortSignal,
): Promise<Target> {
  const client = createClient({ ...access, attempts: patience })
  // At first without patience, so that a wrong address is told at once.
  const index = await readRoomIndex(createClient(access), flags.room, signal).catch((error: unknown) => {
    if (signal.aborted) throw error
    throw new CommandError(
      `The Room ${flags.room} cannot be read at ${access.base_url}: ${failureInWords(error)}.`,
    )
  })
  const atOnce = Math.max(1, Math.min(flags.concurrency, found.files.length))
  const parts = Math.max(2, Math.ceil(8 / atOnce))
  return { client, room_id: flags.room, index, dryRun: flags.dryRun === true, parts, signal }
}

function tell(tally: Tally, flags: UploadFlags): void {
  const dryRun = flags.dryRun === true
  console.log(flags.json ? summaryJson(tally, flags.room, dryRun) : summaryText(tally, dryRun))
}

function ending(tally: Tally, stopped: unknown, signal: AbortSignal): number {
  if (signal.aborted) {
    console.error('Interrupted. Run the same command again for the rest; what was sent is not sent again.')
    return 130
  }
  if (stopped !== undefined)
    console.error(`Stopped: ${failureInWords(stopped)}. Run the same command again for the rest.`)
  return stopped === undefined && tally.failed.length === 0 ? 0 : 1
}
