import { resolve } from 'node:path'
import { describeEnding, describeGroupEnding, describeUnfinished } from './ending.ts'
import { describeError } from './error-text.ts'
import type { Completed, Enqueued, Failed, RunnerError } from './events.ts'
import { FileRun } from './file-run.ts'
import { isGroup } from './groups/group.ts'
import { GroupRun } from './groups/group-run.ts'
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
  readonly #groups = new Map<string, GroupRun>()

  constructor(isFiltered: boolean) {
    this.#isFiltered = isFiltered
  }

  get files(): readonly FileRun[] {
    return [...this.#files.values()]
  }

  /** The group that a module runs, or undefined if it is a test file. */
  group(entry: string): GroupRun | undefined {
    if (!isGroup(entry)) return undefined
    const path = resolve(entry)
    const known = this.#groups.get(path)
    if (known) return known
    const group = new GroupRun(path, file => this.file(file))
    this.#groups.set(path, group)
    return group
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

  /** The file that a process runs now. */
  running(entry: string): FileRun {
    return this.group(entry)?.current ?? this.file(entry)
  }

  /** Records a test or suite that begins. */
  announce(entry: string, test: Enqueued): void {
    const group = this.group(entry)
    if (group?.begins(test)) return
    const run = group?.fileOf(test) ?? this.file(entry)
    run.note(test)
  }

  /** Counts a test at its end. Returns its failure, if it failed. */
  completeTest(entry: string, test: Completed): Failure | undefined {
    const run = this.group(entry)?.fileOf(test) ?? this.file(entry)
    run.note(test) // what its parent cancels was not announced before
    const told = { place: placeOf(test), title: run.titleOf(test.testId) }
    const { skip, todo, details } = test
    const error: RunnerError | undefined = details.error
    if (skip !== undefined || todo !== undefined) {
      run.skipped++
      this.skipped.push({ ...told, reason: reasonOf(skip, todo) })
      return undefined
    }
    // If only subtests failed, they are reported instead.
    if (error?.failureType === 'subtestsFailed') return undefined
    if (error) return this.#fail(run, { ...told, detail: describeError(error) })
    if (details.type !== 'suite') run.passed++
    return undefined
  }

  /** Counts a hook of a whole file that failed. */
  failHook(entry: string, hook: Failed): Failure {
    const detail = describeError(hook.details.error)
    return this.#fail(this.running(entry), { place: placeOf(hook), title: 'a hook of the file', detail })
  }

  /** Closes a file at the end of its process. Returns its failure, if something else than its tests failed. */
  completeFile(path: string, { details }: Completed): Failure | undefined {
    const run = this.file(path)
    run.milliseconds = details.duration_ms
    run.isDone = true
    const detail = describeEnding(path, run, details.error, this.#isFiltered)
    if (detail === undefined) return undefined
    return this.#fail(run, { place: run.name, title: 'the file itself', detail, output: run.output })
  }

  /** Closes a file of a group, whose suite has ended. Returns its failure, if something else than its tests failed. */
  completeFileOfGroup(run: FileRun, milliseconds: number, { details }: Completed): Failure | undefined {
    run.milliseconds = milliseconds
    run.isDone = true
    const error: RunnerError | undefined = details.error
    if (error && error.failureType !== 'subtestsFailed') {
      const title = error.failureType === 'hookFailed' ? 'a hook of the file' : 'the file itself'
      return this.#fail(run, { place: run.name, title, detail: describeError(error), output: run.output })
    }
    if (run.hasTests || this.#isFiltered) return undefined
    return this.#fail(run, { place: run.name, title: 'the file itself', detail: 'It ended without a test.' })
  }

  /** Closes a group at the end of its process. Returns what failed besides its tests: the process, files that did not end. */
  completeGroup(group: GroupRun, { details }: Completed): Failure[] {
    const detail = describeGroupEnding(group, details.error)
    const { name, output, unfinished } = group
    if (unfinished.length > 0)
      return unfinished.map(run =>
        this.#fail(run, {
          place: run.name,
          title: 'the file itself',
          detail: describeUnfinished(run, group, detail),
          output: run.output,
        }),
      )
    if (detail === undefined) return []
    return [this.#note({ place: name, title: 'the process of the group', detail, output })]
  }

  #fail(run: FileRun, failure: Failure): Failure {
    run.failed++
    return this.#note(failure)
  }

  #note(failure: Failure): Failure {
    this.failures.push(failure)
    return failure
  }
}

function reasonOf(skip: string | boolean | undefined, todo: string | boolean | undefined): string {
  const given = skip ?? todo
  const reason = typeof given === 'string' && given !== '' ? given : 'no reason is given'
  return skip === undefined ? `to do: ${reason}` : reason
}
