import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** How many seconds each test file took when it was recorded. */
export type Times = ReadonlyMap<string, number>

/** Where `npm test -- --record-times` writes them, relative to the root of the project. */
const TIMES_FILE = 'tests/times.json'

/** The environment variable that tells the reporter to record. */
export const RECORD_TIMES = 'WBS_TEST_RECORD_TIMES'

/** Without a record, all files are taken to be as long. */
export function readTimes(place = TIMES_FILE): Times {
  if (!existsSync(place)) return new Map()
  return new Map(Object.entries(JSON.parse(readFileSync(place, 'utf8')) as Record<string, number>))
}

/** Replaces the times of the files that have run, and removes those of files that are no longer there. */
export function recordTimes(
  ran: readonly { name: string; milliseconds: number }[],
  place = TIMES_FILE,
): void {
  const all = new Map(readTimes(place))
  for (const { name, milliseconds } of ran) all.set(name, Math.round(milliseconds / 100) / 10)
  const kept = [...all].filter(([name]) => existsSync(name)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(place, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
}
