import { globSync } from 'node:fs'
import { testsOf, type MutantOfSlice } from './mutant.ts'
import { runTests, type Place } from './run-tests.ts'
import { withPlanted } from './tree.ts'
import type { Verdict } from './verdict.ts'

/** What the databases of tests are made of. */
const ofSchema = /^packages\/server\/src\/database\/(?:migrations|migrating|roles)/

/** What shows that the service starts and that PostgreSQL can read every statement. */
const startingUp = [
  'packages/server/test/system/health.test.ts',
  'packages/server/test/database/statements.test.ts',
]

/** Runs test files with the fault of a mutant. */
const runWith = (place: Place, mutant: MutantOfSlice, files: readonly string[]): Promise<Verdict> =>
  withPlanted(place.copy, mutant, () => runTests(place, files, { hasOwnSchema: ofSchema.test(mutant.file) }))

/** Whether the service starts with a fault. With one that keeps it from that, every test fails, which proves nothing. */
export const tryStart = (place: Place, mutant: MutantOfSlice): Promise<Verdict> =>
  runWith(place, mutant, startingUp)

/** What the run of a file says without any fault. It is run once, by whoever needs it first. */
const unmutated = new Map<string, Promise<Verdict>>()

/** A test that fails without the fault too, such as on a busy machine, has not found it. */
async function confirmed(place: Place, verdict: Verdict, file: string): Promise<Verdict> {
  if (verdict.is !== 'failed') return verdict
  const running = unmutated.get(file) ?? runTests(place, [file], { hasOwnSchema: false })
  unmutated.set(file, running)
  const without = await running
  return without.is === 'passed'
    ? verdict
    : { is: 'broken', by: `${verdict.by}, where tests fail without it` }
}

/** Runs the tests that should find a fault, one file after the other, until one fails. */
export async function tryNarrow(place: Place, mutant: MutantOfSlice): Promise<Verdict> {
  for (const file of mutant.caughtBy) {
    const verdict = await runWith(place, mutant, [file])
    if (verdict.is !== 'passed') return confirmed(place, verdict, file)
  }
  return { is: 'passed' }
}

/** The same, and then the other tests of the slice. Of these, one counts only if it fails again by itself. */
export async function tryMutant(place: Place, mutant: MutantOfSlice): Promise<Verdict> {
  const narrow = await tryNarrow(place, mutant)
  const all = globSync(`${testsOf(mutant.slice)}/**/*.test.ts`, { cwd: place.copy }).sort()
  const rest = all.filter(file => !mutant.caughtBy.includes(file))
  if (narrow.is !== 'passed' || rest.length === 0) return narrow
  const other = await runWith(place, mutant, rest)
  if (other.is !== 'failed') return other
  const [file = ''] = other.by.split(':')
  return confirmed(place, await runWith(place, mutant, [file]), file)
}
