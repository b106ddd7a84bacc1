import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { mutantsBySlice } from './mutants/faults.ts'
import { faultsOf, selected, type MutantOfSlice } from './mutants/mutant.ts'
import type { Place } from './mutants/run-tests.ts'
import { copyTree } from './mutants/tree.ts'
import { tryMutant, tryNarrow, tryStart } from './mutants/try-mutant.ts'
import type { Verdict } from './mutants/verdict.ts'
import { onTestServer } from './test-run/on-test-server.ts'

const atOnce = 2

/**
 * Plants one fault after the other in copies of the project, and says which test finds it. Words select mutants by slice or by a
 * part of their name. Fails if a mutant survives.
 * `--verify` only looks whether the text of each mutant still occurs once. `--starts` only looks whether the service starts with
 * each. `--narrow` leaves out the other tests of the slice where the tests that should find a fault do not.
 */
const root = join(import.meta.dirname, '..')
const flag = { type: 'boolean', default: false } as const
const { values, positionals } = parseArgs({
  options: { verify: flag, starts: flag, narrow: flag },
  allowPositionals: true,
})
const mutants = selected(mutantsBySlice, positionals)
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null)
const unusable = mutants.flatMap(mutant => faultsOf(mutant, read).map(fault => `${mutant.name} ${fault}`))
if (unusable.length > 0 || mutants.length === 0) {
  console.log(unusable.join('\n') || 'No mutant has this slice, or this in its name.')
  process.exitCode = 1
} else if (values.verify) console.log(`The text of each of the ${mutants.length} mutants occurs once.`)
else await onTestServer(tryAll)

async function tryAll(): Promise<void> {
  const started = performance.now()
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => stopping.abort(new Error('It was interrupted.')))
  const places = Array.from({ length: atOnce }, () => makePlace(stopping.signal))
  const attempt = values.starts ? tryStart : values.narrow ? tryNarrow : tryMutant
  const left = [...mutants]
  let found = 0
  await Promise.all(
    places.map(async place => {
      for (let mutant = left.shift(); mutant; mutant = left.shift()) {
        const since = performance.now()
        if (tell(mutant, await attempt(place, mutant), since)) found++
        else process.exitCode = 1
      }
    }),
  )
  const minutes = ((performance.now() - started) / 60_000).toFixed(1)
  console.log(
    `${values.starts ? 'Starts with' : 'Caught'} ${found} of ${mutants.length} mutants, in ${minutes} min`,
  )
}

function makePlace(signal: AbortSignal): Place {
  const copy = join(mkdtempSync(join(tmpdir(), 'wbs-mutants-')), 'copy')
  copyTree(root, copy)
  return { copy, signal }
}

/** Prints what became of a mutant. Returns whether the verdict is as it should be. */
function tell({ slice, name }: MutantOfSlice, verdict: Verdict, since: number): boolean {
  const isFine = verdict.is === (values.starts ? 'passed' : 'failed')
  const words = { passed: 'SURVIVED', failed: 'caught', broken: 'BROKEN', 'timed out': 'TIMED OUT' }
  const word = values.starts ? (isFine ? 'starts' : 'DOES NOT START') : words[verdict.is]
  const by = verdict.is === 'passed' ? '' : ` by ${verdict.by}`
  const seconds = Math.round((performance.now() - since) / 1000)
  console.log(`${word} · ${slice} · ${name}${by} (${seconds} s)`)
  return isFine
}
