import { checkReadable } from '@wbs/server/businesses/import/open-input'
import { CommandError } from '../../command-error.ts'
import type { AccessFlags } from '../../access-flags.ts'
import { interruptSignal } from '../../interruption.ts'
import { showProgress } from '../../progress-line.ts'
import { failureInWords } from '../../failure-in-words.ts'
import { openTarget, type ListTarget } from '../list-target.ts'
import { readLayout, type Layout } from './layout.ts'
import { matchings, type Matching, type MatchName } from './matching.ts'
import { readMembers } from './members.ts'
import { openRecords, type Records } from './open-records.ts'
import { noRejects, openRejects, type Rejects } from './rejects.ts'
import { runRows } from './run-rows.ts'
import { newTally, progressLine, summary, type Tally } from './tally.ts'

export interface ImportFlags extends AccessFlags {
  match: MatchName
  map?: readonly string[]
  dryRun?: true
  clearEmpty?: true
  rejects?: string
}

/**
 * `wbs lists import-values`, with progress on stderr and the summary on stdout. Gives the exit code: 0 if all rows are in,
 * 2 if some were rejected, 1 if it ended early, 130 if interrupted. Throws CommandError if nothing can be imported.
 */
export async function importValues(list_id: string, file: string, flags: ImportFlags): Promise<number> {
  const signal = interruptSignal()
  await checkReadable([file])
  const tally = newTally()
  try {
    const target = await openTarget(list_id, flags, signal)
    requireActive(target)
    const records = await openRecords(file)
    const matching: Matching = matchings[flags.match]
    const layout = readLayout(records.headers, target.list.columns, flags.match, matching, flags.map ?? [])
    return await importRows(target, { file, records, matching, layout, tally }, flags)
  } catch (error) {
    if (!signal.aborted) throw error
    console.error(interrupted(tally))
    return 130
  }
}

interface Run {
  file: string
  records: Records
  matching: Matching
  layout: Layout
  tally: Tally
}

/** Reads the members and imports the rows, and says what was done even if it ends early. */
async function importRows(target: ListTarget, run: Run, flags: ImportFlags): Promise<number> {
  const { file, records, matching, layout, tally } = run
  const dryRun = flags.dryRun === true
  const progress = showProgress(process.stderr, progressLine)
  const report = () => progress.show(tally)
  const rejectsFile = flags.rejects ?? (dryRun ? null : defaultRejects())
  try {
    const members = await readMembers(
      target,
      matching,
      layout.values.map(({ column }) => column),
      count => {
        tally.members = count
        report()
      },
    )
    const rejects = rejectsFile === null ? noRejects : await openRejects(rejectsFile, layout, file)
    const rules = { layout, matching, members, clearEmpty: flags.clearEmpty === true }
    const stopped = await untilStopped(rejects, () =>
      runRows(target, records, rules, { rejects, dryRun, tally, report }),
    )
    progress.end()
    console.log(summary(tally, { dryRun, ignored: layout.ignored, rejectsFile }))
    if (target.signal.aborted) throw stopped
    if (stopped !== undefined) console.error(early(stopped, tally))
    return stopped === undefined ? (tally.rejected > 0 ? 2 : 0) : 1
  } finally {
    progress.end()
  }
}

/** Runs to the end, or gives the error that stopped it. Either way, the file of rejected rows is complete. */
async function untilStopped(rejects: Rejects, work: () => Promise<void>): Promise<unknown> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error
  } finally {
    await rejects.close()
  }
}

function requireActive({ list: { lifecycle_status, name } }: ListTarget): void {
  if (lifecycle_status !== 'active')
    throw new CommandError(`The List "${name}" is ${lifecycle_status}, so its values cannot be set.`)
}

const defaultRejects = () => `rejected-values-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}.csv`

const progressOf = ({ lastLine }: Tally) =>
  lastLine > 0 ? `The values are in up to line ${lastLine}` : 'No value was written'
const again = 'run the same command again for the rest'

const interrupted = (tally: Tally) => `Interrupted. ${progressOf(tally)}; ${again}.`

const early = (error: unknown, tally: Tally) =>
  `Stopped: ${failureInWords(error)}. ${progressOf(tally)}; ${again}.`
