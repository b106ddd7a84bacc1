import { formatCount } from '../../progress-line.ts'
import type { PlannedRow } from './plan-row.ts'

/** What a run has done so far. */
export interface Tally {
  members: number
  rows: number
  set: number
  cleared: number
  unchanged: number
  rejected: number
  /** The last line whose values are in the List; 0 if there is none. */
  lastLine: number
  /** How often somebody else changed the List meanwhile. */
  conflicts: number
}

export const newTally = (): Tally => ({
  members: 0,
  rows: 0,
  set: 0,
  cleared: 0,
  unchanged: 0,
  rejected: 0,
  lastLine: 0,
  conflicts: 0,
})

/** Counts the changes of rows that were written, or would be. */
export function countChanges(tally: Tally, rows: readonly PlannedRow[]): void {
  for (const { value } of rows.flatMap(({ changes }) => changes)) {
    if (value === null) tally.cleared++
    else tally.set++
  }
}

export function progressLine({ members, rows, set, cleared }: Tally): string {
  if (rows === 0) return `${formatCount(members)} members read`
  return `${formatCount(rows)} rows read, ${formatCount(set + cleared)} values written`
}

export interface About {
  dryRun: boolean
  ignored: readonly string[]
  rejectsFile: string | null
}

/** What a run did, or would do. */
export function summary(tally: Tally, { dryRun, ignored, rejectsFile }: About): string {
  const rows = `${formatCount(tally.rows)} ${tally.rows === 1 ? 'row' : 'rows'} read`
  const rejects = tally.rejected > 0 && rejectsFile !== null ? `, see ${rejectsFile}` : ''
  return [
    `${rows}${dryRun ? ', nothing was written' : ''}`,
    `  set        ${formatCount(tally.set)}`,
    `  cleared    ${formatCount(tally.cleared)}`,
    `  unchanged  ${formatCount(tally.unchanged)}`,
    `  rejected   ${formatCount(tally.rejected)}${rejects}`,
    ...(ignored.length > 0 ? [`Not imported: ${ignored.join(', ')}`] : []),
  ].join('\n')
}
