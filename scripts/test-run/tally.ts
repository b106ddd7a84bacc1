import { resolve } from 'node:path'
import { describeEnding } from './ending.ts'
import { describeError } from './error-text.ts'
import type { Completed, Failed, RunnerError } from './events.ts'
import { FileRun } from './file-run.ts'
import { placeOf } from './place.ts'

/** A failed test or file: `detail` is the error, or how the process ended; `output` is the last output of the file. */
export interface Failure {
  place: string
  title: string
  detail: string
  /** May grow, because the output of a file is reported only after the files before it have ended. */
  output?: readonly string[]
}

/** A test that was skipped, or is allowed to fail. */
export interface Skipped {
  place: string
  title: string
  reason: string
}

/** The results of all tests so far. A suite counts only if it failed or was skipped itself. */
export class Tally {
  readonly failures: Failure[] = []
  readonly skipped: Skipped[] = []
  /** Tests were selected by name, so a file may have none of them. */
  readonly #isFiltered: boolean
  readonly #files = new Map<string, FileRun>()

  constructor(isFiltered: boolean) {
    this.#isFiltered = isFiltered
  }

  get files(): readonly FileRun[] {
    return [...this.#files.values()]
  }

  /** The file of an event, which has the full path or the path as given. */
  file(name: string): FileRun {
    const path = resolve(name)
    const known = this.#files.get(path)
    if (known) return known
    const run = new FileRun(path)
    this.#files.set(path, run)
    return run
  }

  /** Counts a test at its end. Returns its failure, if it failed. */
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
    // If only subtests failed, they are reported instead.
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

  /** Closes a file at the end of its process. Returns its failure, if something else than its tests failed. */
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
