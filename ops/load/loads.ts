import { setTimeout as sleep } from 'node:timers/promises'
import type { startLoad } from './load.ts'
import type { LoadReport } from './records.ts'

/** What several loads did at the same time. */
export interface LoadsReport<Sample> {
  reports: LoadReport[]
  /** The largest sample that was seen meanwhile. */
  most: Sample
  changes_per_second: number
  reads_per_second: number
}

/** Lets loads run for so many seconds, looks at something five times a second, and stops them. */
export async function stopAfter<Sample>(
  loads: readonly ReturnType<typeof startLoad>[],
  seconds: number,
  look: () => Promise<Sample>,
  sizeOf: (sample: Sample) => number,
): Promise<LoadsReport<Sample>> {
  let most = await look()
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(200)) {
    const now = await look()
    if (sizeOf(now) > sizeOf(most)) most = now
  }
  const reports = await Promise.all(loads.map(load => load.stop()))
  const perSecond = (of: 'changes' | 'reads') =>
    Math.round(reports.reduce((total, report) => total + report[of].per_second, 0))
  return { reports, most, changes_per_second: perSecond('changes'), reads_per_second: perSecond('reads') }
}
