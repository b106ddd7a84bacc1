import { resolve } from 'node:path'
import { describeEnding } from './ending.ts'
import { describeError } from './error-text.ts'
import type { Completed, Failed, RunnerError } from './events.ts'
import { FileRun } from './file-run.ts'
import { placeOf } from './place.ts'

/** A test that failed, or a file: `detail` is its error, or how the file ended, and `output` what the file said last. */
export interface Failure {
  place: string
  title: string
  detail: string
  /** May grow: what a file wrote is told only when the files before it have ended. */
  output?: readonly string[]
}

/** A test that did not run, or may fail for now. */
export interface Skipped {
  place: string
  title: string
  reason: string
}

/** What became of all tests so far. A suite counts only if it failed or was skipped itself. */
export class Tally {
  readonly failures: Failure[] = []
  readonly skipped: Skipped[] = []
  /** Some tests were asked for by name, so that a file may have none of them. */
  readonly #isFiltered: boolean
  readonly #files = new Map<string, FileRun>()

  constructor(isFiltered: boolean) {
    this.#isFiltered = isFiltered
  }

  get files(): readonly FileRun[] {
    return [...this.#files.values()]
  }

  /** The file of an event, which names it in full or as it was given. */
  file(name: string): FileRun {
    const path = resolve(name)
    const known = this.#files.get(path)
    if (known) return known
    const run = new FileRun(path)
    this.#files.set(path, run)
    return run
  }

  /** Counts a test at its end; answers its failure, if it is one. */
  completeTest(path: string, test: Completed): Failure | undefined {
    const run = this.file(path)
    run.note(test) // what its parent cancels was not announced before
    const entry = { place: placeOf(test), title: run.titleOf(test.testId) }
    const { skip, todo, details } = test
    const error: RunnerError | undefined = details.error
    if (skip !== undefined || todo !== undefined) {
      run.skipped++
      this.skipped.push({ ...entry, reason: reasonOf(skip, todo) })
      return undefined
    }
    // What failed by its subtests alone is told by them.
    if (error?.failureType === 'subtestsFailed') return undefined
    if (error) return this.#fail(run, { ...entry, detail: describeError(error) })
    if (details.type !== 'suite') run.passed++
    return undefined
  }

  /** Counts a hook of a whole file that failed. */
  failHook(path: string, hook: Failed): Failure {
    const detail = describeError(hook.details.error)
    return this.#fail(this.file(path), { place: placeOf(hook), title: 'a hook of the file', detail })
  }

  /** Closes a file at the end of its process; answers its failure, if more than its tests failed. */
  completeFile(path: string, { details }: Completed): Failure | undefined {
    const run = this.file(path)
    run.milliseconds = details.duration_ms
    const detail = describeEnding(path, run, details.error, this.#isFiltered)
    if (detail === undefined) return undefined
    return this.#fail(run, { place: run.name, title: 'the file itself', detail, output: run.output })
  }

  #fail(run: FileRun, failure: Failure): Failure {
    run.failed++
    this.failures.push(failure)
    return failure
  }
}

function reasonOf(skip: string | boolean | undefined, todo: string | boolean | undefined): string {
  const given = skip ?? todo
  const reason = typeof given === 'string' && given !== '' ? given : 'no reason is given'
  return skip === undefined ? `to do: ${reason}` : reason
}
